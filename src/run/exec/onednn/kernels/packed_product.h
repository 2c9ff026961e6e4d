// The product of two matrices by oneDNN's gemm, which packs its factors before it multiplies. oneDNN's matmul reads
// them in place, which is slower by some percent in large products, and up to three times as slow where the second
// one's rows are long: weight gradients of large layers, above all.
#pragma once

#include "run/exec/onednn/kernel.h"

namespace plimsoll {

// y (rows x columns) = scale · a · b, all row-major; b is inner x columns, and both may lie transposed. A third input,
// if there is one, is a row that is added to every row.
struct PackedProduct {
  int64_t rows, inner, columns;
  bool transpose_a = false;
  float scale = 1;
  bool bias = false;
  bool transpose_b = false;

  bool pays() const { return (columns >= 1024 && !transpose_b) || (rows >= 64 && rows * inner * columns >= kLarge); }

 private:
  static constexpr int64_t kLarge = 1 << 23;  // multiplications; below, packing and new machine code do not pay
};

std::unique_ptr<Kernel> packed_product_kernel(const PackedProduct& product, int threads);

}  // namespace plimsoll
