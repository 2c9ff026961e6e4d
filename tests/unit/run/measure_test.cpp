// The parts of a probe that do not depend on how fast the machine is: teams, levels, the disk's traces, caches.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>

#include "run/measure/bandwidth.h"
#include "run/measure/caches.h"
#include "run/measure/disk_speed.h"
#include "run/measure/team.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

constexpr int64_t kKiB = 1 << 10, kMiB = 1 << 20;

TEST(Team, EveryMemberWorksOnce) {
  for (const int threads : {1, 2, 5}) {
    std::mutex lock;
    std::multiset<int> members;
    const auto took = run_together(threads, [&](int member) {
      const std::lock_guard guard(lock);
      members.insert(member);
    });
    ASSERT_TRUE(took.ok()) << took.error().line();
    EXPECT_GE(took->value, 0);
    EXPECT_EQ(int(members.size()), threads);
    for (int i = 0; i < threads; ++i) EXPECT_EQ(members.count(i), 1u);
  }
}

TEST(Team, ARateIsPositiveAndTheSameWorkIsRepeated) {
  std::mutex lock;
  std::multiset<int64_t> sizes;  // of what the second member was given
  const auto rate = median_rate(2, {5, {0.001}}, [&](int member, int64_t rounds) {
    volatile double sum = 0;
    for (int64_t i = 0; i < rounds; ++i) sum = sum + 1;
    const std::lock_guard guard(lock);
    if (member == 1) sizes.insert(rounds);
  });
  ASSERT_TRUE(rate.ok());
  EXPECT_GT(*rate, 0);
  EXPECT_GE(sizes.size(), 3u);
  EXPECT_LE(sizes.size(), 5u);
  EXPECT_EQ(*sizes.begin(), *sizes.rbegin());
}

TEST(MemoryLevels, EachFitsItsLevelAndNotTheOneBefore) {
  const Caches caches{Count(4), Bytes(32 * kKiB), Bytes(512 * kKiB), Bytes(16 * kMiB)};
  for (const int threads : {1, 4}) {
    const auto levels = memory_levels(caches, Bytes(8192 * kMiB), threads);
    ASSERT_EQ(levels.size(), 4u);
    EXPECT_EQ(levels[0].name, "L1");
    EXPECT_LT(levels[0].each, *caches.l1);
    EXPECT_GT(levels[1].each, *caches.l1);
    EXPECT_LT(levels[1].each, *caches.l2);
    EXPECT_GT(levels[2].each, *caches.l2);
    EXPECT_LE(levels[2].each * threads, *caches.l3);
    EXPECT_EQ(levels[3].name, "RAM");
    EXPECT_GE(levels[3].each * threads, *caches.l3 * 4);
  }
}

TEST(MemoryLevels, WhatIsUnknownOrTooSmallIsLeftOut) {
  const auto names = [](const Caches& caches, int threads) {
    std::string text;
    for (const auto& level : memory_levels(caches, Bytes(8192 * kMiB), threads)) text += std::string(level.name) + " ";
    return text;
  };
  EXPECT_EQ(names({Count(4), {}, {}, {}}, 4), "RAM ");
  EXPECT_EQ(names({Count(4), Bytes(64 * kKiB), Bytes(kMiB), {}}, 4), "L1 L2 RAM ");
  EXPECT_EQ(names({Count(8), Bytes(64 * kKiB), Bytes(2 * kMiB), Bytes(8 * kMiB)}, 8), "L1 L2 RAM ");
}

TEST(MemoryLevels, StayWithinAQuarterOfASmallMemory) {
  const Caches caches{Count(2), Bytes(32 * kKiB), Bytes(512 * kKiB), Bytes(16 * kMiB)};
  const auto levels = memory_levels(caches, Bytes(128 * kMiB), 2);
  EXPECT_LE(levels.back().each * 2, Bytes(32 * kMiB));
}

TEST(Bandwidth, IsPositiveOnEveryLevel) {
  for (const Level& level : {Level{"L1", Bytes(16 * kKiB)}, Level{"tiny", Bytes(1)}, Level{"RAM", Bytes(4 * kMiB)}}) {
    const auto bandwidth = measure_bandwidth(level, 2, {3, {0.001}});
    ASSERT_TRUE(bandwidth.ok()) << bandwidth.error().line();
    EXPECT_GT(bandwidth->read.per_second, 0);
    EXPECT_GT(bandwidth->triad.per_second, 0);
  }
}

TEST(Caches, GrowFromLevelToLevel) {
  const auto caches = read_caches();
  ASSERT_TRUE(caches.ok()) << caches.error().line();
  EXPECT_GE(caches->cores, Count(1));
  if (caches->l1 && caches->l2) {
    EXPECT_LT(*caches->l1, *caches->l2);
  }
}

TEST(Disk, IsMeasuredOrSaysWhyNotAndLeavesNothing) {
  const TemporaryFolder folder;
  const auto speed = measure_disk(folder.path(), {Bytes(16 * kMiB), {0.2}});
  ASSERT_TRUE(speed.ok()) << speed.error().line();
  EXPECT_NE(speed->read.has_value(), !speed->note.empty()) << speed->note;
  if (speed->read) {
    EXPECT_GT(speed->read->per_second, 0);
    ASSERT_TRUE(speed->write.has_value());
    EXPECT_GT(speed->write->per_second, 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Disk, AnUnwritableFolderIsTheEnvironmentsFault) {
  const TemporaryFolder folder;
  const auto speed = measure_disk(folder.path() + "/none", {});
  ASSERT_FALSE(speed.ok());
  EXPECT_EQ(speed.error().kind, ErrorKind::environment);
  EXPECT_NE(speed.error().line().find("/none: cannot be written"), std::string::npos) << speed.error().line();
}

}  // namespace
}  // namespace plimsoll
