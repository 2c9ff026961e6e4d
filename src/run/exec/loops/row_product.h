// One row times a matrix: as fast as the matrix is read, once and where it lies.
#pragma once

#include <cstdint>

namespace plimsoll {

// y (columns) = scale · x (inner) · b, plus a bias where it is not nullptr. b is inner x columns, row-major, or lies
// transposed.
struct RowProduct {
  int64_t inner, columns;
  bool transpose_b;
  float scale;
};

void row_product(const RowProduct& product, const float* x, const float* b, const float* bias, float* y);

}  // namespace plimsoll
