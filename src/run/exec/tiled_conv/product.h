// The matrix product inside: a few rows by a few vectors of columns, summed in registers.
#pragma once

#include "run/exec/tiled_conv/vectors.h"

namespace plimsoll {
namespace {

// s[r][c] = or += the sum over outer and inner of a[outer][inner][r] · b[c][outer][inner], where an element of b is a
// vector. Strides in floats.
struct Factors {
  const float* a;
  int64_t a_outer;  // from one run of the inner sum to the next
  const float* b;
  int64_t b_column;
  int64_t outer, inner;
  float* s;
  int64_t s_row, s_column;
  bool add;
};

template <int rows, int columns, int a_row, int a_inner>
void product(const Factors& f) {
  Vec sum[rows][columns];
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < columns; ++c) sum[r][c] = f.add ? load(f.s + r * f.s_row + c * f.s_column) : Vec{};
  const float* b = f.b;
  for (int64_t o = 0; o < f.outer; ++o) {
    const float* a = f.a + o * f.a_outer;
    for (int64_t i = 0; i < f.inner; ++i, a += a_inner, b += kLanes) {
      Vec column[columns];
#pragma GCC unroll 4
      for (int c = 0; c < columns; ++c) column[c] = load(b + c * f.b_column);
#pragma GCC unroll 16
      for (int r = 0; r < rows; ++r) {
        const float row = a[r * a_row];
#pragma GCC unroll 4
        for (int c = 0; c < columns; ++c) sum[r][c] += row * column[c];
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < columns; ++c) store(f.s + r * f.s_row + c * f.s_column, sum[r][c]);
}

using Product = void (*)(const Factors&);

// The product of `rows` rows, at most most_rows, and `columns` vectors, at most most_columns.
template <int most_rows, int most_columns, int a_row, int a_inner>
Product product_of(int64_t rows, int64_t columns) {
  if constexpr (most_rows > 1) {
    if (rows < most_rows) return product_of<most_rows - 1, most_columns, a_row, a_inner>(rows, columns);
  }
  if constexpr (most_columns > 1) {
    if (columns < most_columns) return product_of<most_rows, most_columns - 1, a_row, a_inner>(rows, columns);
  }
  return product<most_rows, most_columns, a_row, a_inner>;
}

}  // namespace
}  // namespace plimsoll
