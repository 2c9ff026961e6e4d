// The product of two matrices by oneDNN's gemm, which packs the second factor before it multiplies. Where that one's
// rows are long, oneDNN's matmul reads it in place and is up to three times as slow: weight gradients of large layers,
// above all.
#pragma once

#include "run/exec/onednn/kernel.h"

namespace plimsoll {

// y (rows x columns) = scale · a · b, all row-major; b is inner x columns, a may lie transposed. A third input, if
// there is one, is a row that is added to every row.
struct PackedProduct {
  int64_t rows, inner, columns;
  bool transpose_a = false;
  float scale = 1;
  bool bias = false;

  bool pays() const { return columns >= 1024; }
};

std::unique_ptr<Kernel> packed_product_kernel(const PackedProduct& product, int threads);

}  // namespace plimsoll
