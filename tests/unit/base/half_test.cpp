#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

TEST(Half, EveryF16ComesBackAsItself) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float number = from_f16(uint16_t(bits));
    const uint32_t size = bits & 0x7FFF;
    if (size > 0x7C00) {
      EXPECT_TRUE(std::isnan(number) && std::isnan(from_f16(to_f16(number)))) << bits;
      continue;
    }
    EXPECT_EQ(to_f16(number), bits);
    // By its definition: sign, exponent, mantissa.
    const int exponent = int(size >> 10), mantissa = int(size & 1023);
    const double expected = exponent == 0    ? std::ldexp(mantissa, -24)
                            : exponent == 31 ? double(kInfinite)
                                             : std::ldexp(mantissa + 1024, exponent - 25);
    EXPECT_EQ(std::abs(double(number)), expected) << bits;
  }
}

TEST(Half, EveryBf16ComesBackAsItself) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float number = from_bf16(uint16_t(bits));
    const uint16_t back = to_bf16(number);
    EXPECT_TRUE(std::isnan(number) ? std::isnan(from_bf16(back)) : back == bits) << bits;
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(from_f16(to_f16(1 + 0x1p-11F)), 1);                        // between 1 and 1 + 2^-10: the even one
  EXPECT_EQ(from_f16(to_f16(1 + 0x1p-11F + 0x1p-20F)), 1 + 0x1p-10F);  // a little above
  EXPECT_EQ(from_f16(to_f16(1 + 3 * 0x1p-11F)), 1 + 2 * 0x1p-10F);
  EXPECT_EQ(from_f16(to_f16(-0x1p-25F)), 0);  // half of the smallest
  EXPECT_EQ(from_f16(to_f16(-0x1.8p-25F)), -0x1p-24F);
  EXPECT_EQ(from_f16(to_f16(65519)), 65504);
  EXPECT_EQ(from_f16(to_f16(65520)), kInfinite);
  EXPECT_EQ(from_f16(to_f16(-1e10F)), -kInfinite);
  EXPECT_EQ(from_bf16(to_bf16(1 + 0x1p-8F)), 1);
  EXPECT_EQ(from_bf16(to_bf16(1 + 0x1.01p-8F)), 1 + 0x1p-7F);
  EXPECT_EQ(from_bf16(to_bf16(-1 - 3 * 0x1p-8F)), -1 - 2 * 0x1p-7F);
}

}  // namespace
}  // namespace plimsoll
