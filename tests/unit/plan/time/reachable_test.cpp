#include "plan/time/reachable.h"

#include <gtest/gtest.h>

#include "plan/devices/all_devices.h"
#include "plan/devices/calibrate.h"

namespace plimsoll {
namespace {

Device device(const std::string& name) {
  auto found = find_device(name);
  EXPECT_TRUE(found.ok()) << name;
  return *found;
}

double share_of_sheet(const std::string& name) {
  const Device card = device(name);
  return Reachable(card).matrix(DType::f16) / card.matrix_peak.at(DType::f16).per_second;
}

// Large products in f16 or bf16, as a share of the data sheet: torch.matmul and the best shapes that were found.
TEST(Reachable, IsNearWhatLargeProductsReached) {
  EXPECT_NEAR(share_of_sheet("nvidia-a100-80gb"), 0.84, 0.08);
  EXPECT_NEAR(share_of_sheet("nvidia-rtx-3090"), 1.06, 0.08);
  EXPECT_NEAR(share_of_sheet("nvidia-rtx-4090"), 1.01, 0.08);
  EXPECT_NEAR(share_of_sheet("nvidia-b200"), 0.75, 0.08);
  EXPECT_NEAR(share_of_sheet("nvidia-h20"), 0.96, 0.12);
}

// Products of language models one after another, fp16 on an A100 (vidur): 0.72 to 0.78 of the peak.
TEST(Reachable, ProductsOneAfterAnotherSustainLess) {
  const Device card = device("nvidia-a100-80gb");
  EXPECT_NEAR(Reachable(card).sustained(DType::f16) / card.matrix_peak.at(DType::f16).per_second, 0.77, 0.03);
  const Device h20 = device("nvidia-h20");
  EXPECT_DOUBLE_EQ(Reachable(h20).sustained(DType::f16), Reachable(h20).matrix(DType::f16)) << "little to fill";
  EXPECT_LT(Reachable(device("nvidia-h100-80gb")).sustained(DType::f16), 690e12);
  const Device desktop = device("nvidia-rtx-4090");
  EXPECT_DOUBLE_EQ(Reachable(desktop).sustained(DType::f16), Reachable(desktop).matrix(DType::f16));
}

// One chip under three limits: the best shapes in bf16 and products in f32 (gemm_peaks, neusight).
TEST(Reachable, AnA100SlowsDownWithItsPower) {
  EXPECT_NEAR(share_of_sheet("nvidia-a100-80gb"), 271.2 / 312, 0.03) << "400 W";
  EXPECT_NEAR(share_of_sheet("nvidia-a100-pcie-80gb"), 252.9 / 312, 0.03) << "300 W";
  EXPECT_NEAR(share_of_sheet("nvidia-a100-pcie-40gb"), 230.0 / 312, 0.03) << "250 W";
  const auto general = [](const std::string& name) { return Reachable(device(name)).general(DType::f32) / 1e12; };
  EXPECT_NEAR(general("nvidia-a100-80gb"), 19.2, 0.6);
  EXPECT_NEAR(general("nvidia-a100-pcie-80gb"), 18.0, 0.6);
  EXPECT_NEAR(general("nvidia-a100-pcie-40gb"), 16.6, 0.6);
}

TEST(Reachable, LittlePowerMeansALowerClock) {
  EXPECT_LT(share_of_sheet("nvidia-l4"), 0.6);
  EXPECT_LT(share_of_sheet("nvidia-rtx-pro-6000-max-q"), share_of_sheet("nvidia-rtx-pro-6000"));
}

// Kernels that draw more than a large product cost the clock where power is short, and little elsewhere.
TEST(Reachable, KernelsThatDrawMorePowerAreSlowedDownByTheLimit) {
  constexpr double kMore = 1.14;
  const double t4 = Reachable(device("nvidia-t4")).general_at(kMore);
  const double v100 = Reachable(device("nvidia-v100-16gb")).general_at(kMore);
  EXPECT_NEAR(t4, 0.83, 0.03) << "3.3 of 4 teraflops (neusight)";
  EXPECT_GT(v100, 0.93);
  EXPECT_DOUBLE_EQ(Reachable(device("nvidia-t4")).general_at(1), 1);
}

TEST(Reachable, ChecksumsBesideTheDataTakeBandwidth) {
  Device card = device("nvidia-l4");
  ASSERT_EQ(card.ecc, "inline");
  const double checked = Reachable(card).bandwidth();
  card.ecc = "sideband";
  EXPECT_LT(checked, 0.9 * Reachable(card).bandwidth());
  EXPECT_TRUE(device("nvidia-rtx-4090").ecc.empty());
}

TEST(Reachable, MeasuredNumbersComeFirst) {
  const Calibration measured{
      .gemm = FlopsPerSecond{61e12}, .bandwidth = BytesPerSecond{800e9}, .source = "measured", .date = "2025-03"};
  const auto card = calibrated(device("nvidia-rtx-3090"), measured);
  ASSERT_TRUE(card.ok()) << card.error().line();
  EXPECT_DOUBLE_EQ(Reachable(*card).matrix(DType::f16), 61e12);
  EXPECT_DOUBLE_EQ(Reachable(*card).bandwidth(), 800e9 / kCopyShare);
  // Other formats of the same units slow down with it.
  EXPECT_NEAR(Reachable(*card).matrix(DType::tf32) / 30.5e12, 1, 0.01);
}

}  // namespace
}  // namespace plimsoll
