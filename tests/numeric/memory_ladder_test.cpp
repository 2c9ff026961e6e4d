// timm's training runs on a card of 24 GiB: the batch falls along a ladder until it fits, so what ran fits and the next
// step up does not.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/memory/framework_form.h"
#include "plan/memory/framework_peak.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

constexpr int64_t kLadder[] = {512, 384, 256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1};

bool fits(const FactRow& row, int64_t batch) {
  static const Device device = *find_device("nvidia-rtx-3090");
  const int64_t image = std::atoll(row.at("image").c_str());
  const auto graph = build_model(row.at("network"), {.input = Shape{3, image, image}});
  auto program = bind(*graph, {.batch = batch, .parameters = DType::f32, .activations = DType::f32});
  take_form(*program, {.pytorch = true, .autocast = DType::f16});
  StepOptions options = step_options(Framework::pytorch);
  options.optimizer = *find_optimizer("momentum");
  const auto step = make_step(std::move(*program), options);
  EXPECT_TRUE(step.ok()) << row.at("network");
  const FrameworkProfile profile(Framework::pytorch, &device, true);
  return framework_peak(profile, *step, lifetimes(*step, profile)).needed <= *device.memory;
}

TEST(MemoryLadder, WhatRanFitsAndTheNextStepUpDoesNot) {
  int asked = 0, right = 0;
  std::string wrong;
  for (const FactRow& row : facts("modern/zoo_steps.csv")) {
    if (row.at("mode") != "training" || row.at("layout") != "nchw") continue;
    const int64_t ran = std::atoll(row.at("batch").c_str());
    const auto* const step = std::find(std::begin(kLadder), std::end(kLadder), ran);
    for (const bool up : {false, true}) {
      if (up && (step == std::begin(kLadder) || step == std::end(kLadder))) continue;
      ++asked;
      const int64_t batch = up ? *(step - 1) : ran;
      if (fits(row, batch) != up) ++right;
      else wrong += row.at("network") + (up ? " does not run at " : " runs at ") + std::to_string(batch) + "\n";
    }
  }
  EXPECT_GE(asked, 55);
  EXPECT_GE(right, 0.96 * asked) << wrong;  // 57 of 59; 97 % is what we want
}

}  // namespace
}  // namespace plimsoll
