#include "plan/time/gemm_time.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr GemmMachine kMachine{.units = 100, .rate = 100e12, .bandwidth = 1e12};

double seconds(const GemmShape& shape) { return gemm_time(shape, kMachine, {}); }

double rate(const GemmShape& shape) {
  return 2 * shape.rows * shape.columns * shape.depth * shape.count / seconds(shape);
}

TEST(GemmTime, ALargeProductReachesTheRate) {
  EXPECT_GT(rate({25600, 12800, 8192}), 0.98 * kMachine.rate);
  EXPECT_LE(rate({25600, 12800, 8192}), kMachine.rate);
}

// 100 tiles of 256 by 128 are one wave; one row more begins another, or smaller tiles.
TEST(GemmTime, AStartedWaveIsPaidFor) {
  const double full = seconds({2560, 1280, 4096}), more = seconds({2561, 1280, 4096});
  EXPECT_GT(more, 1.05 * full);
  EXPECT_LT(more, 2.05 * full);
}

TEST(GemmTime, LongSumsOfFewTilesAreSplit) {
  const GemmShape weights{256, 256, 1 << 20};
  EXPECT_GT(rate(weights), 0.5 * kMachine.rate);
  EXPECT_LT(rate({256, 256, 128}), 0.25 * kMachine.rate);
}

TEST(GemmTime, ManySmallProductsFillAllUnits) {
  EXPECT_NEAR(seconds({64, 64, 64, 200}), seconds({64, 64, 64, 101}), 1e-12);
  EXPECT_LT(seconds({64, 64, 64, 100}), seconds({64, 64, 64, 101}));
}

double general(const GemmShape& shape, GemmKernels kernels) {
  return gemm_time(shape, {.units = 100, .rate = 10e12, .bandwidth = 1e12, .kernels = kernels}, {});
}

// Since Ampere cuBLAS has tiles of 128 by 128 alone for many f32 products at once; before, smaller ones too.
TEST(GemmTime, ManySmallF32ProductsPayForWholeTiles) {
  const GemmShape small{64, 64, 256, 1000}, full{128, 128, 256, 1000};
  EXPECT_DOUBLE_EQ(general(small, GemmKernels::general), general(full, GemmKernels::general));
  EXPECT_LT(general(small, GemmKernels::general_older), 0.5 * general(full, GemmKernels::general_older));
}

TEST(GemmTime, LongF32SumsAreSplitBeforeAmpereAlone) {
  const GemmShape weights{256, 256, 1 << 20};
  EXPECT_LT(general(weights, GemmKernels::general_older), 0.5 * general(weights, GemmKernels::general));
}

}  // namespace
}  // namespace plimsoll
