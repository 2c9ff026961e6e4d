#include "plan/verdict/visible_memory.h"

#include <gtest/gtest.h>

#include "base/rows/json.h"
#include "plan/devices/all_devices.h"
#include "plimsoll/plimsoll.hpp"

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

TEST(VisibleMemory, IsAllOfAMemoryThatIsGiven) {
  const auto line_of = [](const Json& more) {
    Json request{{"model", "lenet5"}, {"device", "nvidia-t4"}, {"batch", 1}, {"load_line", 1}, {"brief", true}};
    request.update(more);
    return Json::parse(ask("fit", request.dump()).json())["line_bytes"].get<int64_t>();
  };
  constexpr int64_t kGiB = 1 << 30;
  EXPECT_EQ(line_of(Json::object()), 15 * kGiB);
  EXPECT_EQ(line_of({{"memory", 14 * kGiB}}), 14 * kGiB);
}

}  // namespace
}  // namespace plimsoll
