// The sliding window that convolutions and pooling share: kernel, stride, padding and dilation
// along each spatial axis, read from ONNX's attributes and checked.
#pragma once

#include <algorithm>
#include <vector>

#include "model/ir/op.h"

namespace plimsoll {

struct Window {
  std::vector<int64_t> kernel, stride, dilation, pad_begin, pad_end;  // one entry a spatial axis

  int axes() const { return int(kernel.size()); }
  int64_t reach(int axis) const { return (kernel[size_t(axis)] - 1) * dilation[size_t(axis)] + 1; }
};

// The window over `input` (batch, channels, spatial …) with a kernel of these sizes. Handles
// auto_pad, whose padding depends on the input.
Result<Window> read_window(const Attributes& attributes, const Shape& input, std::vector<int64_t> kernel);

// The output's spatial sizes: floor((size + pads - reach) / stride) + 1, or ceil (never a window
// that starts in the padding after the input). An error when the kernel is larger than the input.
Result<std::vector<int64_t>> window_output(const Window& window, const Shape& input, bool ceil_mode);

// Visits every tap of one output position that lies inside the input: f(kernel_offset,
// input_spatial_offset), both row major over the spatial axes.
template <class F>
void for_taps(const Window& window, const std::vector<int64_t>& input_size, const std::vector<int64_t>& at, F&& f) {
  const int axes = window.axes();
  std::vector<int64_t> tap(size_t(axes), 0);
  int64_t taps = 1;
  for (const int64_t k : window.kernel) taps *= k;
  for (int64_t n = 0; n < taps; ++n) {
    int64_t offset = 0;
    bool inside = true;
    for (int axis = 0; axis < axes && inside; ++axis) {
      const auto a = size_t(axis);
      const int64_t x = at[a] * window.stride[a] - window.pad_begin[a] + tap[a] * window.dilation[a];
      inside = x >= 0 && x < input_size[a];
      offset = offset * input_size[a] + x;
    }
    if (inside) f(n, offset);
    for (int axis = axes - 1; axis >= 0 && ++tap[size_t(axis)] == window.kernel[size_t(axis)]; --axis)
      tap[size_t(axis)] = 0;
  }
}

// The next position in row-major order; wraps to the first after the last.
inline void advance(std::vector<int64_t>& at, const std::vector<int64_t>& size) {
  for (size_t axis = size.size(); axis-- > 0 && ++at[axis] == size[axis];) at[axis] = 0;
}

// The spatial sizes of a (batch, channels, spatial …) shape.
inline std::vector<int64_t> spatial(const Shape& shape) { return {shape.begin() + 2, shape.end()}; }

}  // namespace plimsoll
