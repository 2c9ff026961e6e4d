#include "plan/memory/framework_allocator.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

int64_t held_mib(const FrameworkAllocator& allocator) { return allocator.held().value() / kMiB; }

TEST(FrameworkAllocator, SegmentsByTheSizeOfTheRequest) {
  FrameworkAllocator allocator(AllocatorKind::segments);
  allocator.take(Bytes(100));  // 512 bytes of 2 MiB
  EXPECT_EQ(held_mib(allocator), 2);
  EXPECT_EQ(allocator.in_use(), Bytes(512));
  allocator.take(Bytes(kMiB));  // from the same segment
  EXPECT_EQ(held_mib(allocator), 2);
  allocator.take(Bytes(5 * kMiB));
  EXPECT_EQ(held_mib(allocator), 22);
  allocator.take(Bytes(15 * kMiB));  // exactly the rest of it
  EXPECT_EQ(held_mib(allocator), 22);
  allocator.take(Bytes(31 * kMiB));
  EXPECT_EQ(held_mib(allocator), 54);
}

TEST(FrameworkAllocator, PiecesOfTwoSegmentsNeverJoin) {
  FrameworkAllocator allocator(AllocatorKind::segments);
  const int32_t first = allocator.take(Bytes(20 * kMiB));
  const int32_t second = allocator.take(Bytes(20 * kMiB));
  allocator.give_back(first);
  allocator.give_back(second);
  allocator.take(Bytes(40 * kMiB));
  EXPECT_EQ(held_mib(allocator), 80);
}

TEST(FrameworkAllocator, PiecesOfOneSegmentJoinAgain) {
  FrameworkAllocator allocator(AllocatorKind::segments);
  const int32_t whole = allocator.take(Bytes(60 * kMiB));
  allocator.give_back(whole);
  const int32_t parts[] = {allocator.take(Bytes(20 * kMiB)), allocator.take(Bytes(20 * kMiB)),
                           allocator.take(Bytes(20 * kMiB))};
  EXPECT_EQ(held_mib(allocator), 60);
  for (const int i : {0, 2, 1}) allocator.give_back(parts[i]);
  EXPECT_EQ(allocator.in_use(), Bytes(0));
  allocator.take(Bytes(60 * kMiB));
  EXPECT_EQ(held_mib(allocator), 60);
}

TEST(FrameworkAllocator, ARegionGrowsAtItsEnd) {
  FrameworkAllocator allocator(AllocatorKind::region);
  const int32_t first = allocator.take(Bytes(20 * kMiB));
  const int32_t second = allocator.take(Bytes(20 * kMiB));
  allocator.give_back(first);
  allocator.give_back(second);
  allocator.take(Bytes(50 * kMiB));  // the free end is extended
  EXPECT_EQ(held_mib(allocator), 50);
}

TEST(FrameworkAllocator, ARegionGivesOutWhatIsNearlyRightWhole) {
  FrameworkAllocator allocator(AllocatorKind::region);
  const int32_t first = allocator.take(Bytes(20 * kMiB));
  allocator.take(Bytes(kMiB));
  allocator.give_back(first);
  const int32_t again = allocator.take(Bytes(11 * kMiB));
  EXPECT_EQ(allocator.in_use(), Bytes(21 * kMiB));
  allocator.give_back(again);
  allocator.take(Bytes(10 * kMiB));
  allocator.take(Bytes(10 * kMiB));
  EXPECT_EQ(held_mib(allocator), 21);
}

TEST(FrameworkAllocator, TooMuchStaysAtTheMaximum) {
  for (const auto kind : {AllocatorKind::segments, AllocatorKind::region}) {
    FrameworkAllocator allocator(kind);
    for (int i = 0; i < 5; ++i) allocator.give_back(allocator.take(Bytes(1000)));
    for (int i = 0; i < 4; ++i) allocator.take(Bytes(int64_t{1} << 60));
    allocator.give_back(allocator.take(Bytes(1)));
    EXPECT_TRUE(allocator.held().overflowed());
    FrameworkAllocator other(kind);
    other.take(Bytes(Bytes::kOverflow));
    EXPECT_TRUE(other.held().overflowed());
  }
}

}  // namespace
}  // namespace plimsoll
