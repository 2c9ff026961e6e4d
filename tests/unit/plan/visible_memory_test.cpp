#include "plan/verdict/visible_memory.h"

#include <gtest/gtest.h>

#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

double shown(const char* name) {
  constexpr double kGiB = 1 << 30;
  const Device device = *find_device(name);
  return double(device.memory->value()) * load_line_on(&device, Framework::pytorch, 1) / kGiB;
}

TEST(VisibleMemory, ChecksumsBesideTheDataTakeASixteenth) {
  EXPECT_DOUBLE_EQ(shown("nvidia-t4"), 15);
  EXPECT_DOUBLE_EQ(shown("nvidia-rtx-3090"), 24);
  EXPECT_DOUBLE_EQ(shown("nvidia-rtx-pro-6000"), 96);
  EXPECT_DOUBLE_EQ(shown("nvidia-a100-40gb"), 40) << "whose memory has room of its own for them";
}

TEST(VisibleMemory, LowersNoLineThatIsLowerAlready) {
  const Device device = *find_device("nvidia-t4"), amd = *find_device("amd-mi300x");
  EXPECT_EQ(load_line_on(&device, Framework::pytorch, 0.8), 0.8);
  EXPECT_EQ(load_line_on(&device, Framework::tensorflow, 1), 1);
  EXPECT_EQ(load_line_on(&amd, Framework::pytorch, 1), 1);
  EXPECT_EQ(load_line_on(nullptr, Framework::pytorch, 1), 1);
}

}  // namespace
}  // namespace plimsoll
