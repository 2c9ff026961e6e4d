// Workers whose steps are in micro-batches: each adds up its own gradients, and they meet behind the last.
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

using MicroBatchWorkers = Workers;

TEST_F(MicroBatchWorkers, TakeTheStepsOfOneWorkerWithoutThem) {
  const std::vector<std::string> plain{"--optimizer", "sgd", "--max-steps", "4"};
  auto parts = plain;
  parts.insert(parts.end(), {"--micro-batches", "2"});
  ASSERT_EQ(train("one", 1, 32, plain).exit_code, 0);
  const Ran ran = train("two", 2, 8, parts);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["global_batch"], 32);
  EXPECT_EQ(json["micro_batches"], 2);
  const auto one = losses("one"), two = losses("two");
  ASSERT_EQ(one.size(), two.size());
  EXPECT_NEAR(two.at(0), one.at(0), 1e-6 * one[0]);
  for (size_t i = 1; i < one.size(); ++i) EXPECT_NEAR(two[i], one[i], 1e-4 * one[i]) << "step " << i + 1;
  expect_nobody_left("two");
}

}  // namespace
}  // namespace plimsoll
