#include "run/dist/squares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace plimsoll {
namespace {

std::vector<float> some_numbers(size_t count) {
  std::vector<float> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(float(int(i * 7919 % 201)) / 8 - 12);
  return numbers;
}

TEST(Squares, AreThoseOfAPlainLoopAtEveryLength) {
  for (const size_t count : {0, 1, 31, 32, 33, 1000}) {
    auto numbers = some_numbers(count);
    double expected = 0;
    for (const float number : numbers) expected += double(number) * double(number);
    EXPECT_DOUBLE_EQ(square_of(numbers), expected) << count;
    std::vector<float> sum(count, 1);
    EXPECT_DOUBLE_EQ(add_to_sum(sum, numbers), expected) << count;
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(sum[i], 1 + numbers[i]);
    EXPECT_DOUBLE_EQ(scale_to_square(numbers, 0.5F), expected / 4) << count;
    const auto before = some_numbers(count);
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(numbers[i], before[i] / 2);
  }
}

TEST(Squares, AreFiniteExactlyWhenAllNumbersAre) {
  for (const size_t place : {0, 40, 99}) {
    auto numbers = some_numbers(100);
    numbers[place] = std::numeric_limits<float>::max();
    EXPECT_TRUE(std::isfinite(square_of(numbers)));
    numbers[place] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(std::isfinite(square_of(numbers)));
    numbers[place] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(std::isfinite(square_of(numbers)));
  }
}

}  // namespace
}  // namespace plimsoll
