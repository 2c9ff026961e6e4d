#include "plan/memory/pack.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/memory_overlap.h"

namespace plimsoll {
namespace {

// Sizes in units of 64 bytes.
Block block(int64_t units, int32_t first, int32_t last) { return {Bytes(units * 64), first, last}; }

Packing packed(const std::vector<Block>& blocks) {
  Packing packing = pack(blocks);
  EXPECT_TRUE(well_placed(blocks, packing.offsets, packing.arena));
  EXPECT_LE(packing.bound, packing.arena);
  return packing;
}

// In units.
int64_t arena_of(const std::vector<Block>& blocks) { return packed(blocks).arena.value() / 64; }

TEST(Pack, TheCheckSeesWhatIsWrong) {
  const std::vector<Block> blocks = {block(2, 0, 3), block(2, 3, 5)};
  EXPECT_TRUE(well_placed(blocks, {Bytes(0), Bytes(128)}, Bytes(256)));
  EXPECT_FALSE(well_placed(blocks, {Bytes(0), Bytes(64)}, Bytes(256)));
  EXPECT_FALSE(well_placed(blocks, {Bytes(64), Bytes(0)}, Bytes(256)));
  EXPECT_FALSE(well_placed(blocks, {Bytes(0), Bytes(0)}, Bytes(256)));
  EXPECT_FALSE(well_placed(blocks, {Bytes(0), Bytes(160)}, Bytes(512)));  // not aligned
  EXPECT_FALSE(well_placed(blocks, {Bytes(0), Bytes(128)}, Bytes(192)));  // beyond the arena
}

TEST(Pack, NothingTakesNothing) {
  EXPECT_EQ(pack({}).arena, Bytes(0));
  const std::vector<Block> empty = {{Bytes(0), 0, 7}};
  EXPECT_EQ(pack(empty).arena, Bytes(0));
  EXPECT_EQ(pack(empty).offsets, std::vector<Bytes>{Bytes(0)});
}

TEST(Pack, BlocksShareAPlaceOnlyOneAfterTheOther) {
  EXPECT_EQ(arena_of({block(3, 0, 1), block(3, 2, 3)}), 3);
  EXPECT_EQ(arena_of({block(3, 0, 2), block(3, 2, 3)}), 6);  // both alive during operation 2
}

TEST(Pack, OffsetsAreAligned) {
  const std::vector<Block> blocks = {{Bytes(1), 0, 0}, {Bytes(65), 0, 0}, {Bytes(64), 0, 0}};
  const Packing packing = packed(blocks);
  EXPECT_EQ(packing.bound, Bytes(64 + 128 + 64));
  EXPECT_EQ(packing.arena, packing.bound);
}

// Activations that wait for the backward pass, and gradients between neighbours.
std::vector<Block> training_step(int32_t layers) {
  std::vector<Block> blocks;
  for (int32_t i = 0; i < layers; ++i) {
    const int64_t units = 10 + 7919 * i % 13;
    blocks.push_back(block(units, i, 2 * layers - 1 - i));
    blocks.push_back(block(units, 2 * layers - 2 - i, 2 * layers - 1 - i));
  }
  return blocks;
}

TEST(Pack, AStackOfActivationsReachesTheBound) {
  const Packing packing = packed(training_step(50));
  EXPECT_EQ(packing.arena, packing.bound);
}

TEST(Pack, GradientsThatStayFollowTheActivationsThatGo) {
  std::vector<Block> blocks = training_step(50);
  for (int32_t i = 0; i < 50; ++i) blocks.push_back(block(i / 5, 99 - i, 100));
  const Packing packing = packed(blocks);
  EXPECT_LE(double(packing.arena.value()), 1.02 * double(packing.bound.value()));
}

// A residual block widens fourfold and narrows again. What it adds to and what it gives are alive together, so that
// they cannot have the same place in every block, and only the two ends of the arena leave room for the wide ones.
TEST(Pack, ResidualsAlternateBetweenTheEnds) {
  std::vector<Block> blocks;
  for (int32_t i = 0; i < 20; ++i) {
    const int32_t at = 4 * i;
    blocks.push_back(block(1, at, at + 4));
    blocks.push_back(block(4, at + 1, at + 2));
    blocks.push_back(block(4, at + 2, at + 3));
    blocks.push_back(block(1, at + 3, at + 4));
  }
  EXPECT_EQ(arena_of(blocks), 9);
}

TEST(Pack, RandomBlocksNeverOverlap) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Block> blocks;
    const int32_t times = 1 + int32_t(random() % 60), longest = 1 + int32_t(random() % 30);
    for (size_t i = 0, count = random() % 80; i < count; ++i) {
      const int32_t first = int32_t(random() % uint32_t(times));
      blocks.push_back({Bytes(int64_t(random() % 5000)), first, first + int32_t(random() % uint32_t(longest))});
    }
    packed(blocks);
  }
}

TEST(Pack, TheSameBlocksGiveTheSameOffsets) {
  std::mt19937 random(5);
  std::vector<Block> blocks;
  for (int i = 0; i < 300; ++i) {
    const int32_t first = int32_t(random() % 100);
    blocks.push_back(block(int64_t(1 + random() % 50), first, first + int32_t(random() % 20)));
  }
  EXPECT_EQ(pack(blocks).offsets, pack(blocks).offsets);
}

TEST(Pack, MoreThanACountHoldsIsSaid) {
  const std::vector<Block> blocks(3, {Bytes(int64_t{1} << 62), 0, 0});
  EXPECT_TRUE(pack(blocks).arena.overflowed());
  EXPECT_TRUE(pack(blocks).bound.overflowed());
  EXPECT_EQ(pack(blocks).offsets.size(), 3u);
}

}  // namespace
}  // namespace plimsoll
