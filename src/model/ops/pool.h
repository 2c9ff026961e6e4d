// What pooling over a sliding window shares: its window, its shape rule and the walk over all
// output positions.
#pragma once

#include "model/ops/window.h"

namespace plimsoll {

// The window that kernel_shape, strides, pads, dilations and auto_pad state.
Result<Window> pool_window(const OpCall& call);

// One output of input 0's type.
Result<std::vector<TensorType>> infer_pool(const OpCall& call);

// One operation for each number in each window.
Cost cost_pool(const OpCall& call);

// (batch, channels, 1 …): the output of pooling whole planes.
Result<std::vector<TensorType>> infer_global_pool(const OpCall& call);
Cost cost_global_pool(const OpCall& call);  // one operation for each number read
std::vector<OpExample> global_pool_examples();

// What a maximum over no number is: a window that lies in the padding has it.
double lowest_of(DType type);

// Visits every output element in order: f(output offset, offset of its input plane, spatial position).
template <class F>
void pool_walk(const Shape& input, const Shape& output, F&& f) {
  const auto output_size = spatial(output);
  const int64_t plane = input.elements(2, input.rank()).value();
  const int64_t positions = output.elements(2, output.rank()).value();
  const int64_t planes = output.elements(0, 2).value();
  for (int64_t p = 0; p < planes; ++p) {
    std::vector<int64_t> at(output_size.size(), 0);
    for (int64_t i = 0; i < positions; ++i, advance(at, output_size)) f(p * positions + i, p * plane, at);
  }
}

}  // namespace plimsoll
