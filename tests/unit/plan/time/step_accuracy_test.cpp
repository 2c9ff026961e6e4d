#include "plan/time/step_accuracy.h"

#include <gtest/gtest.h>

#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

const StepAccuracy* accuracy(const std::string& device, DType dtype, bool trains, double waits = 0) {
  const auto card = find_device(device);
  EXPECT_TRUE(card.ok()) << device;
  return accuracy_of_step(*card, {.dtype = dtype}, trains, NetworkKind::convolutions, waits);
}

TEST(StepAccuracy, TheClosestRowIsTaken) {
  const StepAccuracy* own = accuracy("nvidia-rtx-3090", DType::f16, true);
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(own->generation, "ampere");
  EXPECT_EQ(own->kind, "convolutions");
  EXPECT_EQ(own->mode, "training");
  const StepAccuracy* other = accuracy("nvidia-h100-80gb", DType::f16, true);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->generation, "any");
}

TEST(StepAccuracy, NothingIsClaimedOfWhatWasNotMeasured) {
  EXPECT_EQ(accuracy("intel-i7-8700k", DType::f32, true), nullptr);
  EXPECT_EQ(accuracy("nvidia-a100-40gb", DType::f64, true), nullptr);
  const auto card = find_device("nvidia-a100-40gb");
  EXPECT_EQ(accuracy_of_step(*card, {.framework = Framework::tensorflow}, true, NetworkKind::convolutions, 0), nullptr);
}

TEST(StepAccuracy, StepsThatWaitForTheHostAreApart) {
  const StepAccuracy* waits = accuracy("nvidia-rtx-3090", DType::f16, false, 0.5);
  ASSERT_NE(waits, nullptr);
  EXPECT_EQ(waits->kind, "steps that wait for the host");
}

TEST(StepAccuracy, RangesHoldTheMiddle) {
  ASSERT_FALSE(held_out_steps().empty());
  for (const StepAccuracy& row : held_out_steps()) {
    EXPECT_LT(row.low, row.high) << row.measured();
    EXPECT_GE(row.rows, 20) << row.measured();
  }
}

}  // namespace
}  // namespace plimsoll
