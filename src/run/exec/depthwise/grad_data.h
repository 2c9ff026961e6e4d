// The gradient of a depthwise convolution's input: each output's gradient goes back to the positions that it read.
// `taps` is the width of the kernel, 0: known only at the run.
#pragma once

#include "run/exec/depthwise/planes.h"

namespace plimsoll {
namespace {

// Tiles begin where a first tap may lie, so that a tap of the kernel has the same positions in each of them.
template <int taps, int stride, int tile>
class GradDataRow {
  static_assert(tile % stride == 0);
  static constexpr int kBefore = taps > 0 ? (taps - 1) / stride : 0;  // outputs before the tile that reach into it

 public:
  GradDataRow(const DepthwiseConv& conv, const float* dy, const float* weights, float* dx)
      : conv_(conv),
        in_(conv, conv.in_height, conv.in_width),
        out_(conv, conv.out_height, conv.out_width),
        dy_(dy),
        weights_(weights),
        dx_(dx) {}

  // One row of the input's gradient from `column` on, which may lie before the plane.
  void run(int64_t sample, int64_t block, int64_t row, int64_t column) const {
    Vec sum[tile] = {};
    const int64_t first = (column + conv_.pad_left) / stride - kBefore;
    const float* plane = dy_ + out_.at(sample, block);
    const float* kernel = weights_ + block * conv_.kernel_height * conv_.kernel_width * kLanes;
    const bool inside = taps > 0 && first >= 0 && first + kBefore + tile / stride <= out_.width;
    for (int64_t i = 0; i < conv_.kernel_height; ++i) {
      const int64_t down = row + conv_.pad_top - i;
      if (down < 0 || down % conv_.stride_down != 0 || down / conv_.stride_down >= out_.height) continue;
      const float* from = plane + down / conv_.stride_down * out_.row();
      const float* weights = kernel + i * conv_.kernel_width * kLanes;
      inside ? add<true>(sum, from, first, column, weights) : add<false>(sum, from, first, column, weights);
    }
    end(sum, dx_ + in_.at(sample, block) + row * in_.row(), column);
  }

 private:
  template <bool inside>
  PLIM_INLINE void add(Vec (&sum)[tile], const float* from, int64_t first, int64_t column, const float* weights) const {
    if constexpr (taps == 0) {
      for (int64_t k = 0; k < conv_.kernel_width; ++k) {
        const Vec weight = load(weights + k * kLanes);
#pragma GCC unroll 16
        for (int t = 0; t < tile; ++t) {
          const int64_t along = column + t + conv_.pad_left - k;
          if (along >= 0 && along % stride == 0 && along / stride < out_.width)
            sum[t] += weight * load(from + along / stride * out_.step);
        }
      }
    } else {
      Vec weight[taps];
#pragma GCC unroll 16
      for (int k = 0; k < taps; ++k) weight[k] = load(weights + k * kLanes);
#pragma GCC unroll 64
      for (int q = 0; q < kBefore + tile / stride; ++q) {
        if (!inside && !is_inside(first + q, out_.width)) continue;
        const Vec dy = load(from + (first + q) * out_.step);
#pragma GCC unroll 16
        for (int k = 0; k < taps; ++k) {
          const int t = stride * (q - kBefore) + k;
          if (t >= 0 && t < tile) sum[t] += weight[k] * dy;
        }
      }
    }
  }

  PLIM_INLINE void end(const Vec (&sum)[tile], float* to, int64_t column) const {
#pragma GCC unroll 16
    for (int t = 0; t < tile; ++t)
      if (is_inside(column + t, in_.width)) store(to + (column + t) * in_.step, sum[t]);
  }

  const DepthwiseConv& conv_;
  const Planes in_, out_;
  const float *dy_, *weights_;
  float* dx_;
};

template <int taps, int stride>
struct GradData {
  static constexpr int kWide = kWideTile / stride * stride, kNarrow = kNarrowTile / stride * stride;

  static void run(const DepthwiseConv& conv, const float* dy, const float* weights, float* dx) {
    const GradDataRow<taps, stride, kWide> wide(conv, dy, weights, dx);
    const GradDataRow<taps, stride, kNarrow> narrow(conv, dy, weights, dx);
    for_bands(conv, conv.in_height, [&](int64_t sample, int64_t block, Share rows) {
      for (int64_t row = rows.from; row < rows.to; ++row) {
        int64_t column = -(conv.pad_left % stride);
        for (; conv.in_width - column > kNarrow; column += kWide) wide.run(sample, block, row, column);
        if (column < conv.in_width) narrow.run(sample, block, row, column);
      }
    });
  }
};

}  // namespace
}  // namespace plimsoll
