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
  int64_t a_imaginary = 0, b_imaginary = 0, s_imaginary = 0;  // from real parts to imaginary ones
};

// Sums of products of real numbers, or of complex ones with the second factor's conjugate.
template <bool complex, Registers size>
struct Sums {
  static constexpr int kParts = complex ? 2 : 1;
  Vec at[kParts][size.rows][size.columns];

  template <class F>
  PLIM_INLINE void for_each(const Factors& f, F&& visit) {
#pragma GCC unroll 2
    for (int part = 0; part < kParts; ++part)
#pragma GCC unroll 16
      for (int r = 0; r < size.rows; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < size.columns; ++c)
          visit(at[part][r][c], f.s + part * f.s_imaginary + r * f.s_row + c * f.s_column);
  }

  template <int a_row>
  PLIM_INLINE void add(const Factors& f, const float* a, const float* b) {
    Vec column[kParts][size.columns];
#pragma GCC unroll 2
    for (int part = 0; part < kParts; ++part)
#pragma GCC unroll 4
      for (int c = 0; c < size.columns; ++c) column[part][c] = load(b + part * f.b_imaginary + c * f.b_column);
#pragma GCC unroll 16
    for (int r = 0; r < size.rows; ++r) {
      const float row = a[r * a_row];
#pragma GCC unroll 4
      for (int c = 0; c < size.columns; ++c) at[0][r][c] += row * column[0][c];
      if constexpr (complex) {
        const float imaginary = a[f.a_imaginary + r * a_row];
#pragma GCC unroll 4
        for (int c = 0; c < size.columns; ++c) {
          at[1][r][c] -= row * column[1][c];
          at[0][r][c] += imaginary * column[1][c];
          at[1][r][c] += imaginary * column[0][c];
        }
      }
    }
  }
};

template <bool complex, Registers size, int a_row, int a_inner>
void product(const Factors& f) {
  Sums<complex, size> sums;
  sums.for_each(
      f, [&](Vec & sum, const float* at) __attribute__((always_inline)) { sum = f.add ? load(at) : Vec{}; });
  const float* b = f.b;
  for (int64_t o = 0; o < f.outer; ++o) {
    const float* a = f.a + o * f.a_outer;
    for (int64_t i = 0; i < f.inner; ++i, a += a_inner, b += kLanes) sums.template add<a_row>(f, a, b);
  }
  sums.for_each(
      f, [&](Vec & sum, float* at) __attribute__((always_inline)) { store(at, sum); });
}

using Product = void (*)(const Factors&);

// The product of `rows` rows and `columns` vectors, at most `most` of them.
template <bool complex, Registers most, int a_row, int a_inner>
Product product_of(int64_t rows, int64_t columns) {
  if constexpr (most.rows > 1) {
    if (rows < most.rows)
      return product_of<complex, Registers{most.rows - 1, most.columns}, a_row, a_inner>(rows, columns);
  }
  if constexpr (most.columns > 1) {
    if (columns < most.columns)
      return product_of<complex, Registers{most.rows, most.columns - 1}, a_row, a_inner>(rows, columns);
  }
  return product<complex, most, a_row, a_inner>;
}

}  // namespace
}  // namespace plimsoll
