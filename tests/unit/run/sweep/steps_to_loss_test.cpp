#include "run/sweep/steps_to_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

std::vector<LoggedLoss> falling(int64_t steps, double from, double by) {
  std::vector<LoggedLoss> losses;
  for (int64_t step = 1; step <= steps; ++step) losses.push_back({step, from - by * double(step)});
  return losses;
}

TEST(StepsToLoss, LargeBatchesAreTakenStepByStep) {
  EXPECT_EQ(*steps_to_loss(falling(100, 2, 1.0 / 128), kSmoothedSamples, 1.5), 64);
  EXPECT_EQ(steps_to_loss(falling(100, 2, 1.0 / 128), kSmoothedSamples, 0.5), std::nullopt);
}

TEST(StepsToLoss, TheMeanOfALineIsReachedWhereTheLineIs) {
  EXPECT_NEAR(*steps_to_loss(falling(400, 2, 0.005), 64, 1.005), 199, 1);
}

TEST(StepsToLoss, OneLuckyStepIsNotIt) {
  auto losses = falling(400, 2, 0.001);
  losses[200].loss = 0;
  EXPECT_EQ(steps_to_loss(losses, 64, 0.5), std::nullopt);
}

TEST(StepsToLoss, EveryTenthStepLoggedTellsTheSame) {
  std::vector<LoggedLoss> some;
  for (const auto& logged : falling(2000, 2, 0.001))
    if (logged.step % 10 == 0) some.push_back(logged);
  EXPECT_NEAR(*steps_to_loss(some, 32, 1), 1000, 10);
}

TEST(LoggedLosses, AResumeTakesStepsBack) {
  const TemporaryFolder folder;
  const std::string path = folder.write("log.jsonl",
                                        "{\"event\":\"start\"}\n"
                                        "{\"event\":\"step\",\"step\":1,\"loss\":3.0}\n"
                                        "{\"event\":\"step\",\"step\":2,\"loss\":2.0}\n"
                                        "{\"event\":\"step\",\"step\":3,\"loss\":1.0}\n"
                                        "{\"event\":\"resume\",\"step\":1}\n"
                                        "{\"event\":\"step\",\"step\":2,\"loss\":2.5}\n"
                                        "{\"event\":\"step\",\"step\":3,\"lo");
  const auto losses = logged_losses(path);
  ASSERT_TRUE(losses.ok());
  ASSERT_EQ(losses->size(), 2u);
  EXPECT_EQ((*losses)[1].loss, 2.5);
  EXPECT_FALSE(logged_losses(folder.path() + "/none").ok());
}

TEST(CriticalBatchFit, FindsTheNumbersOfItsOwnLaw) {
  std::vector<StepsAtBatch> points;
  for (const int64_t batch : {16, 64, 256, 1024, 4096}) points.push_back({batch, 500 * (1 + 900.0 / double(batch))});
  const auto fit = fit_critical_batch(points);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->critical, 900, 1e-6);
  EXPECT_NEAR(fit->least_steps, 500, 1e-6);
  EXPECT_NEAR(fit->high - fit->low, 0, 1e-5);
}

TEST(CriticalBatchFit, NoiseWidensTheInterval) {
  std::vector<StepsAtBatch> points;
  double sign = 1;
  for (const int64_t batch : {16, 64, 256, 1024, 4096}) {
    points.push_back({batch, 500 * (1 + 900.0 / double(batch)) * (1 + 0.05 * sign)});
    sign = -sign;
  }
  const auto fit = fit_critical_batch(points);
  ASSERT_TRUE(fit.has_value());
  EXPECT_LT(fit->low, fit->critical);
  EXPECT_GT(fit->high, fit->critical);
  EXPECT_NEAR(fit->critical, 900, 200);
}

TEST(CriticalBatchFit, SaysNothingWithoutCause) {
  EXPECT_FALSE(fit_critical_batch({}).has_value());
  EXPECT_FALSE(fit_critical_batch({{32, 100}, {32, 110}}).has_value());
  EXPECT_FALSE(fit_critical_batch({{32, 100}, {64, 200}, {128, 400}}).has_value()) << "more steps with larger batches";
  EXPECT_FALSE(fit_critical_batch({{32, 400}, {64, 200}, {128, 100}, {256, 40}}).has_value()) << "faster than linear";
}

}  // namespace
}  // namespace plimsoll
