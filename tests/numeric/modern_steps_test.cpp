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

}  // namespace
}  // namespace plimsoll
