// The batched matrix product that matmul, linear and their integer kin share, by numpy's rules:
// leading axes broadcast, a vector on the left is a row and on the right a column that then vanish.
#pragma once

#include "model/ir/op.h"
#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {

struct MatrixProduct {
  Shape a_batch, b_batch, batch;  // leading axes: of each operand, and broadcast
  int64_t rows = 1, inner = 1, columns = 1;
  Shape output;
};

Result<MatrixProduct> matrix_product(const Shape& a, const Shape& b);

// Of `outputs` sums of `inner` products each.
Cost product_cost(Count outputs, int64_t inner);

// y = a · b. Floating numbers are summed in double, integers wrap.
template <class T>
void multiply(const MatrixProduct& product, const T* a, const T* b, T* y) {
  using Sum = std::conditional_t<std::is_floating_point_v<T>, double, T>;
  const int64_t rows = product.rows, inner = product.inner, columns = product.columns;
  broadcast_walk<2>(product.batch, {&product.a_batch, &product.b_batch}, [&](int64_t n, const auto& at) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        Sum sum = 0;
        for (int64_t k = 0; k < inner; ++k)
          sum = wrapping_add<Sum>(sum, wrapping_multiply<Sum>(Sum(a[(at[0] * rows + i) * inner + k]),
                                                              Sum(b[(at[1] * inner + k) * columns + j])));
        y[(n * rows + i) * columns + j] = T(sum);
      }
  });
}

}  // namespace plimsoll
