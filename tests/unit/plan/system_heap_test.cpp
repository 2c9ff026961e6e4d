// The C library's heap as PyTorch uses it on a CPU: what is handed out anew, and what is given back.
#include "plan/memory/system_heap.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr int64_t kMiB = 1 << 20;

TEST(SystemHeap, LargeBlocksAreMappedEachTime) {
  SystemHeap heap;
  for (int i = 1; i <= 3; ++i) {
    const int32_t block = heap.take(Bytes(48 * kMiB));
    heap.give_back(block);
    EXPECT_EQ(heap.fresh(), Bytes(i * 48 * kMiB));
    EXPECT_EQ(heap.resident(), Bytes(0));
  }
  EXPECT_EQ(heap.most_resident(), Bytes(48 * kMiB));
}

// The first free of a mapped block of 20 MiB makes the heap keep such blocks from then on.
TEST(SystemHeap, WhatWasFreedOnceIsKeptFromThenOn) {
  SystemHeap heap;
  heap.give_back(heap.take(Bytes(20 * kMiB)));
  const int32_t kept = heap.take(Bytes(19 * kMiB));
  heap.give_back(kept);
  const Bytes before = heap.fresh();
  heap.give_back(heap.take(Bytes(19 * kMiB)));
  EXPECT_EQ(heap.fresh(), before);
  EXPECT_EQ(heap.resident(), Bytes(19 * kMiB));
}

TEST(SystemHeap, TheEndGoesBackOnceTwiceTheLimitIsFree) {
  SystemHeap heap;
  heap.give_back(heap.take(Bytes(20 * kMiB)));  // the limit is 20 MiB now
  std::vector<int32_t> blocks;
  for (int i = 0; i < 3; ++i) blocks.push_back(heap.take(Bytes(15 * kMiB)));
  EXPECT_EQ(heap.resident(), Bytes(45 * kMiB));
  for (const int32_t block : blocks) heap.give_back(block);
  EXPECT_EQ(heap.resident(), Bytes(0));
  const int32_t low = heap.take(Bytes(15 * kMiB)), high = heap.take(Bytes(15 * kMiB)), top = heap.take(Bytes(64));
  heap.give_back(low);
  heap.give_back(high);
  EXPECT_EQ(heap.resident(), Bytes(30 * kMiB + 64)) << "something small at the end keeps all below it";
  heap.give_back(top);
}

TEST(SystemHeap, NeighboursJoinAndTheSmallestPieceIsTaken) {
  SystemHeap heap;
  const int32_t a = heap.take(Bytes(64 << 10)), b = heap.take(Bytes(64 << 10)), c = heap.take(Bytes(1024));
  heap.give_back(a);
  heap.give_back(b);
  const Bytes before = heap.fresh();
  const int32_t both = heap.take(Bytes(120 << 10));
  EXPECT_EQ(heap.fresh(), before);
  heap.give_back(both);
  heap.give_back(c);
}

}  // namespace
}  // namespace plimsoll
