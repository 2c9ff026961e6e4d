#include "run/exec/threads/threads.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <numeric>
#include <thread>
#include <vector>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

template <class Work>
void in_team(int threads, Work work) {
  in_region_of(threads, work);
}

// How often each number of a team of this size was worked on.
std::vector<int> times_each(int threads) {
  std::vector<std::atomic<int>> times(static_cast<size_t>(threads));
  in_team(threads, [&] {
    EXPECT_EQ(team_size(), threads);
    times.at(size_t(thread_number())).fetch_add(1);
  });
  return {times.begin(), times.end()};
}

// Processes that compute without end, for as long as this lives.
class BusyNeighbours {
 public:
  explicit BusyNeighbours(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        setsid();
        alarm(120);  // should nobody come to end it
        for (volatile bool on = true; on;) continue;
        _exit(0);
      }
      children_.push_back(child);
    }
  }
  ~BusyNeighbours() {
    for (const pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> children_;
};

// A chain of numbers in which each step needs what all threads wrote in the one before.
int64_t sum_with_barriers(int threads, int rounds) {
  std::vector<int64_t> now(size_t(threads), 1), next(size_t(threads), 0);
  in_team(threads, [&] {
    const auto mine = size_t(thread_number());
    for (int round = 0; round < rounds; ++round) {
      next[mine] = std::accumulate(now.begin(), now.end(), int64_t{0}) % 1'000'003 + int64_t(mine);
      wait_for_team();
      now[mine] = next[mine];
      wait_for_team();
    }
  });
  return std::accumulate(now.begin(), now.end(), int64_t{0});
}

int64_t expected_sum(int threads, int rounds) {
  std::vector<int64_t> now(size_t(threads), 1);
  for (int round = 0; round < rounds; ++round) {
    const int64_t sum = std::accumulate(now.begin(), now.end(), int64_t{0}) % 1'000'003;
    for (int i = 0; i < threads; ++i) now[size_t(i)] = sum + i;
  }
  return std::accumulate(now.begin(), now.end(), int64_t{0});
}

TEST(Threads, EachNumberIsWorkedOnOnce) {
  for (const int threads : {1, 2, 8, 3, 1, 5, 16, 2})  // teams grow and shrink
    EXPECT_EQ(times_each(threads), std::vector<int>(size_t(threads), 1)) << threads;
}

TEST(Threads, OutsideOfARegionThereIsOne) {
  EXPECT_EQ(thread_number(), 0);
  EXPECT_EQ(team_size(), 1);
  EXPECT_FALSE(in_region());
  wait_for_team();  // nobody to wait for
}

TEST(Threads, ARegionInsideOfAnotherIsATeamOfOne) {
  std::atomic<int> inner = 0;
  in_team(4, [&] {
    EXPECT_TRUE(in_region());
    const int outer = thread_number();
    in_team(3, [&] {
      EXPECT_EQ(team_size(), 1);
      EXPECT_EQ(thread_number(), 0);
      EXPECT_TRUE(in_region());
      inner.fetch_add(1);
    });
    EXPECT_EQ(thread_number(), outer);
    EXPECT_EQ(team_size(), 4);
  });
  EXPECT_EQ(inner.load(), 4);
  EXPECT_FALSE(in_region());
}

TEST(Threads, BarriersKeepThePhasesApart) {
  for (const int threads : {2, 3, 7}) EXPECT_EQ(sum_with_barriers(threads, 500), expected_sum(threads, 500));
}

TEST(Threads, ManyShortRegions) {
  int64_t sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    int64_t parts[4] = {};
    in_team(2 + i % 3, [&] { parts[thread_number()] = i + thread_number(); });
    sum += std::accumulate(parts, parts + 4, int64_t{0});
  }
  int64_t expected = 0;
  for (int i = 0; i < 20'000; ++i)
    for (int number = 0; number < 2 + i % 3; ++number) expected += i + number;
  EXPECT_EQ(sum, expected);
}

TEST(Threads, MoreThreadsThanCoresBesideBusyProgramsComeToAnEnd) {
  const BusyNeighbours neighbours(2);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(times_each(8), std::vector<int>(8, 1));
  EXPECT_EQ(sum_with_barriers(8, 20), expected_sum(8, 20));
}

TEST(Threads, SeveralThreadsHaveTeamsOfTheirOwn) {
  std::atomic<int> right = 0;
  {
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i)
      callers.emplace_back([&right, i] {
        for (int round = 0; round < 200; ++round)
          if (times_each(2 + i) == std::vector<int>(size_t(2 + i), 1)) right.fetch_add(1);
      });
    for (auto& caller : callers) caller.join();
  }
  EXPECT_EQ(right.load(), 800);
}

TEST(Threads, AForkedChildHasThreadsToo) {
  EXPECT_EQ(times_each(3), std::vector<int>(3, 1));
  const pid_t child = fork();
  if (child == 0) {
    alarm(300);  // should it hang
    _exit(times_each(3) == std::vector<int>(3, 1) && sum_with_barriers(3, 10) == expected_sum(3, 10) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(times_each(3), std::vector<int>(3, 1));  // and the parent has its own still
}

TEST(Threads, TheNumberOfThreadsIsEachCallersOwn) {
  use_threads(3);
  int seen = 0;
  std::thread([&] {
    use_threads(5);
    seen = most_threads();
  }).join();
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(most_threads(), 3);
}

TEST(Threads, RangesAndItemsCoverEverythingOnce) {
  use_threads(3);
  for (const int64_t count : {int64_t{1}, int64_t{47}, kWorthThreads, 3 * kWorthThreads + 5}) {
    std::vector<int> in_ranges(static_cast<size_t>(count)), in_items(static_cast<size_t>(count));
    parallel_ranges(count, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) ++in_ranges[size_t(i)];
    });
    parallel_items(count, kWorthThreads, [&](int64_t i) { ++in_items[size_t(i)]; });
    EXPECT_EQ(in_ranges, std::vector<int>(size_t(count), 1)) << count;
    EXPECT_EQ(in_items, std::vector<int>(size_t(count), 1)) << count;
  }
}

// As always, so that what a network computes stays the same bit by bit.
TEST(Threads, RangesAreCutByTheNumberOfThreadsAlone) {
  use_threads(3);
  std::vector<std::pair<int64_t, int64_t>> cut(3);
  parallel_ranges(kWorthThreads, [&](int64_t from, int64_t to) { cut[size_t(thread_number())] = {from, to}; });
  EXPECT_EQ(cut, (std::vector<std::pair<int64_t, int64_t>>{{0, 5472}, {5472, 10944}, {10944, 16384}}));
}

}  // namespace
}  // namespace plimsoll
