#include "run/exec/onednn/kernels/packed_product.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

std::vector<float> random_numbers(int64_t count) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(normal(random));
  return numbers;
}

std::byte* bytes_of(std::vector<float>& numbers) { return reinterpret_cast<std::byte*>(numbers.data()); }

// Against sums in double, over more columns than are multiplied at a time.
void expect_product(const PackedProduct& product) {
  const auto& [rows, inner, columns, transpose_a, scale, bias, transpose_b] = product;
  auto a = random_numbers(rows * inner), b = random_numbers(inner * columns), row_of_all = random_numbers(columns);
  std::vector<float> y(size_t(rows * columns), 1e9F);
  const auto kernel = packed_product_kernel(product, 2);
  kernel->prepare({{bytes_of(a), bytes_of(b), bytes_of(row_of_all)}, {bytes_of(y)}});
  kernel->run();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (int64_t i = 0; i < inner; ++i)
        sum += double(a[size_t(transpose_a ? i * rows + row : row * inner + i)]) *
               b[size_t(transpose_b ? column * inner + i : i * columns + column)];
      const double expected = scale * sum + (bias ? row_of_all[size_t(column)] : 0);
      ASSERT_NEAR(y[size_t(row * columns + column)], expected, 1e-4) << row << " " << column;
    }
}

TEST(PackedProduct, IsTheSumOverTheInnerAxis) { expect_product({5, 7, 5003}); }

TEST(PackedProduct, OfATransposedFactor) { expect_product({33, 4, 4099, true, 0.5F}); }

TEST(PackedProduct, OfASecondFactorThatLiesTransposed) {
  expect_product({5, 7, 5003, false, 1, true, true});
  expect_product({33, 4, 2100, true, 0.5F, false, true});
}

TEST(PackedProduct, PaysInLargeProducts) {
  EXPECT_TRUE((PackedProduct{788, 768, 768, false, 1, false, true}.pays()));
  EXPECT_TRUE((PackedProduct{16, 64, 4096}.pays()));
  EXPECT_FALSE((PackedProduct{16, 64, 4096, false, 1, false, true}.pays()));
  EXPECT_FALSE((PackedProduct{128, 400, 120}.pays()));
}

TEST(PackedProduct, WithABias) { expect_product({5, 7, 2100, false, 1, true}); }

TEST(PackedProduct, SaysWhatItTakesAside) {
  const auto small = packed_product_kernel({64, 8, 1024}, 1), large = packed_product_kernel({64, 4096, 65536}, 4);
  EXPECT_GT(small->library_memory(), Bytes(7 << 20));
  EXPECT_GT(large->library_memory(), small->library_memory() + Bytes(10 << 20));
  EXPECT_LT(large->library_memory(), Bytes(32 << 20));  // however long the rows are
}

}  // namespace
}  // namespace plimsoll
