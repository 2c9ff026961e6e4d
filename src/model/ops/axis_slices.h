// The slices of a tensor along one axis, for operations that normalise each on its own: softmax,
// log_softmax, hardmax. With flatten = 1 (ONNX before opset 13) a slice is all axes from `axis` on.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

struct AxisSlices {
  int64_t outer = 1, length = 1, inner = 1;  // number i of slice (o, n) is at (o · length + i) · inner + n
};

Result<AxisSlices> axis_slices(const OpCall& call);

// The type of input 0, once its axis is checked.
Result<std::vector<TensorType>> infer_by_slice(const OpCall& call);
std::vector<OpExample> slice_examples();

// Visits every slice: f(i ↦ offset of its number i).
template <class F>
void for_slices(const AxisSlices& slices, F&& f) {
  for (int64_t o = 0; o < slices.outer; ++o)
    for (int64_t n = 0; n < slices.inner; ++n)
      f([&](int64_t i) { return size_t((o * slices.length + i) * slices.inner + n); });
}

}  // namespace plimsoll
