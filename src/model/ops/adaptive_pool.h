// Pooling to a stated output size, as torch cuts it: along an axis of n numbers, bin i of m reaches
// from floor(i·n / m) to ceil((i + 1)·n / m). Bins may overlap, none is empty.
#pragma once

#include "model/ops/pool.h"

namespace plimsoll {

Result<std::vector<TensorType>> infer_adaptive_pool(const OpCall& call);  // attribute output_size
Cost cost_adaptive_pool(const OpCall& call);  // one operation for each number in the largest bin of each output
std::vector<OpExample> adaptive_pool_examples();

// Visits the input offsets, inside its plane, of the bin at this output position.
template <class F>
void for_bin(const Shape& input, const Shape& output, const std::vector<int64_t>& at, F&& f) {
  const size_t axes = at.size();
  std::vector<int64_t> first(axes), size(axes), inside(axes, 0);
  int64_t count = 1;
  for (size_t a = 0; a < axes; ++a) {
    const int64_t n = input[int(a) + 2], m = output[int(a) + 2];
    first[a] = at[a] * n / m;
    size[a] = ((at[a] + 1) * n + m - 1) / m - first[a];
    count *= size[a];
  }
  for (int64_t i = 0; i < count; ++i, advance(inside, size)) {
    int64_t offset = 0;
    for (size_t a = 0; a < axes; ++a) offset = offset * input[int(a) + 2] + first[a] + inside[a];
    f(offset);
  }
}

}  // namespace plimsoll
