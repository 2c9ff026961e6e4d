#include "run/exec/loops/row_product.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "run/exec/threads/threads.h"

namespace plimsoll {
namespace {

std::vector<float> random_numbers(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(normal(random));
  return numbers;
}

struct Example {
  int64_t inner, columns;
  bool transpose_b, bias;
};

class RowProductOf : public testing::TestWithParam<Example> {};

std::vector<float> product_of(const Example& example, int threads) {
  const auto x = random_numbers(example.inner, 1), b = random_numbers(example.inner * example.columns, 2);
  const auto bias = random_numbers(example.columns, 3);
  std::vector<float> y(size_t(example.columns), 1e9F);
  use_threads(threads);
  row_product({example.inner, example.columns, example.transpose_b, 0.5F}, x.data(), b.data(),
              example.bias ? bias.data() : nullptr, y.data());
  return y;
}

TEST_P(RowProductOf, IsTheSumOverTheInnerAxis) {
  const Example& example = GetParam();
  const auto x = random_numbers(example.inner, 1), b = random_numbers(example.inner * example.columns, 2);
  const auto bias = random_numbers(example.columns, 3), y = product_of(example, 1);
  for (int64_t c = 0; c < example.columns; ++c) {
    double sum = 0;
    for (int64_t i = 0; i < example.inner; ++i)
      sum += double(x[size_t(i)]) * b[size_t(example.transpose_b ? c * example.inner + i : i * example.columns + c)];
    ASSERT_NEAR(y[size_t(c)], 0.5 * sum + (example.bias ? bias[size_t(c)] : 0), 1e-4) << c;
  }
}

TEST_P(RowProductOf, IsTheSameOnSeveralThreads) {
  const auto one = product_of(GetParam(), 1), three = product_of(GetParam(), 3);
  use_threads(1);
  EXPECT_EQ(one, three);
}

INSTANTIATE_TEST_SUITE_P(Examples, RowProductOf,
                         testing::Values(Example{1, 1, true, false}, Example{70, 1003, true, true},
                                         Example{33, 1, true, true}, Example{70, 1203, false, true},
                                         Example{5, 4096, false, false}));

}  // namespace
}  // namespace plimsoll
