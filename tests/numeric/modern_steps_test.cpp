// Steps of PyTorch on modern cards, as the program predicts them, against what was measured.
#include "tests/accuracy/modern_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/accuracy/measured_steps.h"

namespace plimsoll {
namespace {

double median_error(const std::vector<double>& ratios) {
  std::vector<double> errors;
  for (const double ratio : ratios) errors.push_back(std::abs(ratio - 1));
  return median(errors);
}

TEST(ModernSteps, AreWithinAnEighthOnEveryCardAndInEveryWay) {
  std::map<std::string, std::vector<double>> by_card, by_way;
  for (const auto& step : modern_steps()) {
    by_card[step.device].push_back(step.ratio());
    const std::string layout = step.execution.layout == ImageLayout::nhwc ? " nhwc" : " nchw";
    by_way[step.mode + layout + (step.execution.compiled ? " compiled" : "")].push_back(step.ratio());
  }
  ASSERT_EQ(by_card.size(), 3U);
  ASSERT_EQ(by_way.size(), 5U);
  for (const auto& [card, ratios] : by_card) EXPECT_LT(median_error(ratios), 0.125) << card;
  for (const auto& [way, ratios] : by_way) EXPECT_LT(median_error(ratios), 0.125) << way;
}

// By device and mode; nothing was fitted to these rows.
std::map<std::string, std::vector<double>> of_batches_of_twelve(const std::string& dtype) {
  std::map<std::string, std::vector<double>> by;
  for (const auto& step : modern_steps("network_steps.csv"))
    if (step.set == "batch12" && step.dtype == dtype) by[step.device + " " + step.mode].push_back(step.ratio());
  return by;
}

// With PyTorch before 2.0 every gradient is set to 0 and added to, which the device waits for.
TEST(ModernSteps, SmallBatchesWaitForAnOlderPyTorchAsLongAsTheyDid) {
  const auto by = of_batches_of_twelve("f16");
  std::vector<double> all;
  for (const std::string card : {"nvidia-a100-40gb", "nvidia-v100-pcie-16gb", "nvidia-titan-v", "nvidia-t4",
                                 "nvidia-rtx-3090", "nvidia-rtx-4060-ti-16gb"}) {
    const double ratio = median(by.at(card + " training"));
    EXPECT_GT(ratio, 0.78) << card;
    EXPECT_LT(ratio, 1.15) << card;
    all.push_back(ratio);
  }
  EXPECT_NEAR(median(all), 0.9, 0.1);
}

}  // namespace
}  // namespace plimsoll
