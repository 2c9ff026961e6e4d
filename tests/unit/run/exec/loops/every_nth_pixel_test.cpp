#include "run/exec/loops/every_nth_pixel.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace plimsoll {
namespace {

// Two pictures of 3 x 5 places with two numbers each; of them every second row and every third column.
constexpr PixelStride kThinning{.pictures = 2,
                                .height = 3,
                                .width = 5,
                                .thin_height = 2,
                                .thin_width = 2,
                                .row_stride = 2,
                                .column_stride = 3,
                                .numbers = 2};
constexpr size_t kWhole = 2 * 3 * 5 * 2, kThin = 2 * 2 * 2 * 2;

TEST(EveryNthPixel, IsTaken) {
  std::vector<float> whole(kWhole), thin(kThin);
  std::iota(whole.begin(), whole.end(), 0.0F);
  take_every_nth(kThinning, whole.data(), thin.data());
  EXPECT_EQ(thin, (std::vector<float>{0, 1, 6, 7, 20, 21, 26, 27, 30, 31, 36, 37, 50, 51, 56, 57}));
}

TEST(EveryNthPixel, IsPutBackBetweenZeros) {
  std::vector<float> thin(kThin), whole(kWhole, 9), again(kThin);
  std::iota(thin.begin(), thin.end(), 1.0F);
  put_every_nth(kThinning, thin.data(), whole.data());
  take_every_nth(kThinning, whole.data(), again.data());
  EXPECT_EQ(again, thin);
  EXPECT_EQ(std::accumulate(whole.begin(), whole.end(), 0.0F), std::accumulate(thin.begin(), thin.end(), 0.0F));
}

}  // namespace
}  // namespace plimsoll
