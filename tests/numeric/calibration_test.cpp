// Calibration against measured steps of PyTorch on cards since Ampere: two numbers, fitted to a few networks of a card,
// and how far off the card's other networks are afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "plan/devices/all_devices.h"
#include "plan/time/step_time.h"
#include "plan/verdict/measured_runs.h"
#include "tests/accuracy/measured_steps.h"
#include "tests/accuracy/modern_steps.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

// What somebody would measure: one network of each kind. Other networks are told nothing about.
const std::set<std::string> kGiven = {"resnet50", "vgg16", "vit_b_16", "mobilenet_v2"};

struct Card {
  std::vector<const ModernStep*> given, others;
};

bool is_plain(const ModernStep& step) {
  return step.mode == "inference" && !step.execution.compiled && step.execution.layout == ImageLayout::nchw;
}

std::string name_of(const ModernStep& step) {
  return step.network + ":" + std::to_string(step.batch) + " of " + std::to_string(step.image) + ", torch " +
         std::to_string(step.execution.torch.major) + "." + std::to_string(step.execution.torch.minor);
}

double median_off(const std::vector<const ModernStep*>& steps, const Device& device) {
  std::vector<double> off;
  for (const auto* step : steps) {
    const auto time = step_time(*step->program, device, step->execution);
    EXPECT_TRUE(time.ok());
    off.push_back(std::abs(time->total.value / step->measured - 1));
  }
  return median(off);
}

// A card whose own numbers are taken away: the data sheet of another design stands in its place, so that its rate and
// bandwidth are a third off, as those of a card are that nobody has fitted anything to.
Device unknown_card(const Device& card, double off) {
  const ReachedNumbers reached = reached_on(card);
  const auto changed = calibrated(card, {.gemm = FlopsPerSecond{reached.gemm.per_second * off},
                                         .format = reached.format,
                                         .bandwidth = BytesPerSecond{reached.bandwidth.per_second / std::sqrt(off)},
                                         .source = "taken to be",
                                         .date = "2025"});
  EXPECT_TRUE(changed.ok()) << changed.error().line();
  return *changed;
}

TEST(Calibration, FourNetworksBringTheOthersOfACardWithinSevenPerCent) {
  const auto steps = modern_steps();
  std::map<std::string, Card> cards;
  for (const auto& step : steps)
    if (is_plain(step))
      (kGiven.contains(step.network) ? cards[step.device].given : cards[step.device].others).push_back(&step);
  ASSERT_GE(cards.size(), 3U);
  for (const auto& [name, card] : cards) {
    SCOPED_TRACE(name);
    ASSERT_GE(card.given.size(), 3U);
    ASSERT_GE(card.others.size(), 5U);
    std::vector<MeasuredRun> runs;
    for (const auto* step : card.given)
      runs.push_back({name_of(*step), step->program.get(), step->execution, Seconds{step->measured}});
    for (const double off : {1.0, 0.75, 1.33}) {
      const Device unknown = unknown_card(*find_device(name), off);
      const auto found = calibrate_from_runs(unknown, runs, "2025-03");
      ASSERT_TRUE(found.ok()) << found.error().line();
      const double before = median_off(card.others, unknown), after = median_off(card.others, found->device);
      std::printf("%s, sheet off by %.2f: other networks %.1f %% before, %.1f %% after\n", name.c_str(), off,
                  100 * before, 100 * after);
      EXPECT_LT(after, 0.07);
    }
  }
}

// Cards and families that took no part in any fit, by tools/calibration_left_out.py. Where the data sheet alone leads
// within 7 % already, six networks that are measured add little, and take next to nothing away.
TEST(Calibration, BringsACardThatWasLeftOutToSevenPerCent) {
  const auto rows = csv_rows(PLIM_TEST_DATA "/../accuracy/left_out_calibrated.csv");
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) {
    const double before = std::stod(row.at("median_before")), after = std::stod(row.at("median_after"));
    EXPECT_LE(after, 0.07) << row.at("card");
    EXPECT_LT(after, before > 0.07 ? before : before + 0.003) << row.at("card");
  }
}

}  // namespace
}  // namespace plimsoll
