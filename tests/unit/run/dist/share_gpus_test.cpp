#include "run/dist/share_gpus.h"

#include <gtest/gtest.h>

#include "tests/unit/run/dist/thread_communicator.h"

namespace plimsoll {
namespace {

std::vector<int> numbers_of(const std::vector<std::string>& visible) {
  ThreadTable table{int(visible.size())};
  std::vector<int> numbers(visible.size());
  std::vector<std::thread> workers;
  for (size_t i = 0; i < visible.size(); ++i)
    workers.emplace_back([&, i] {
      ThreadCommunicator communicator(table, int(i));
      numbers[i] = gpu_number(communicator, visible[i]);
    });
  for (auto& worker : workers) worker.join();
  return numbers;
}

TEST(ShareGpus, EachWorkerTakesTheNextOfThoseThatAllSee) {
  EXPECT_EQ(numbers_of({"all", "all", "all"}), (std::vector{0, 1, 2}));
}

TEST(ShareGpus, WhatALauncherHasDealtOutStays) {
  EXPECT_EQ(numbers_of({"0", "1", "2"}), (std::vector{0, 0, 0}));
  EXPECT_EQ(numbers_of({"0,1", "2,3", "0,1", "2,3"}), (std::vector{0, 0, 1, 1}));
}

}  // namespace
}  // namespace plimsoll
