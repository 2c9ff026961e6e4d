// Depthwise convolution, forward. `taps` is the width of the kernel, 0: known only at the run.
#pragma once

#include "run/exec/depthwise/planes.h"

namespace plimsoll {
namespace {

template <int taps, int stride, int tile>
class ForwardRow {
 public:
  ForwardRow(const DepthwiseConv& conv, const float* x, const float* weights, const float* shift, float* y)
      : conv_(conv),
        in_(conv, conv.in_height, conv.in_width),
        out_(conv, conv.out_height, conv.out_width),
        x_(x),
        weights_(weights),
        shift_(shift),
        y_(y) {}

  // One row of outputs from `column` on, at most `tile` of them.
  void run(int64_t sample, int64_t block, int64_t row, int64_t column) const {
    Vec sum[tile];
    start(sum, block);
    const int64_t left = column * stride - conv_.pad_left, top = row * conv_.stride_down - conv_.pad_top;
    const float* plane = x_ + in_.at(sample, block);
    const float* kernel = weights_ + block * conv_.kernel_height * conv_.kernel_width * kLanes;
    const bool inside = taps > 0 && left >= 0 && left + (tile - 1) * stride + taps <= in_.width;
    for (int64_t i = 0; i < conv_.kernel_height; ++i) {
      if (!is_inside(top + i, in_.height)) continue;
      const float* from = plane + (top + i) * in_.row() + left * in_.step;
      const float* weights = kernel + i * conv_.kernel_width * kLanes;
      inside ? add<true>(sum, from, left, weights) : add<false>(sum, from, left, weights);
    }
    end(sum, y_ + out_.at(sample, block) + (row * out_.width + column) * out_.step, out_.width - column);
  }

 private:
  PLIM_INLINE void start(Vec (&sum)[tile], int64_t block) const {
    const Vec first = shift_ ? load(shift_ + block * kLanes) : Vec{};
#pragma GCC unroll 16
    for (int t = 0; t < tile; ++t) sum[t] = first;
  }

  // `from` is where the first output's first tap lies, in column `left`.
  template <bool inside>
  PLIM_INLINE void add(Vec (&sum)[tile], const float* from, int64_t left, const float* weights) const {
    if constexpr (taps == 0) {
      for (int64_t k = 0; k < conv_.kernel_width; ++k) {
        const Vec weight = load(weights + k * kLanes);
#pragma GCC unroll 16
        for (int t = 0; t < tile; ++t)
          if (is_inside(left + t * stride + k, in_.width)) sum[t] += weight * load(from + (t * stride + k) * in_.step);
      }
    } else {
      Vec weight[taps];
#pragma GCC unroll 16
      for (int k = 0; k < taps; ++k) weight[k] = load(weights + k * kLanes);
#pragma GCC unroll 64
      for (int p = 0; p < (tile - 1) * stride + taps; ++p) {
        if (!inside && !is_inside(left + p, in_.width)) continue;
        const Vec x = load(from + p * in_.step);
#pragma GCC unroll 16
        for (int k = 0; k < taps; ++k) {
          const int t = (p - k) / stride;
          if (p >= k && (p - k) % stride == 0 && t < tile) sum[t] += weight[k] * x;
        }
      }
    }
  }

  PLIM_INLINE void end(const Vec (&sum)[tile], float* to, int64_t count) const {
#pragma GCC unroll 16
    for (int t = 0; t < tile; ++t) {
      if (t >= count) break;
      Vec y = sum[t];
      if (conv_.adds) y += load(to + t * out_.step);
      store(to + t * out_.step, conv_.relu ? largest(y, Vec{}) : y);
    }
  }

  const DepthwiseConv& conv_;
  const Planes in_, out_;
  const float *x_, *weights_, *shift_;
  float* y_;
};

template <int taps, int stride>
struct Forward {
  static void run(const DepthwiseConv& conv, const float* x, const float* weights, const float* shift, float* y) {
    const ForwardRow<taps, stride, kWideTile> wide(conv, x, weights, shift, y);
    const ForwardRow<taps, stride, kNarrowTile> narrow(conv, x, weights, shift, y);
    for_bands(conv, conv.out_height, [&](int64_t sample, int64_t block, Share rows) {
      for (int64_t row = rows.from; row < rows.to; ++row) {
        int64_t column = 0;
        for (; conv.out_width - column > kNarrowTile; column += kWideTile) wide.run(sample, block, row, column);
        if (column < conv.out_width) narrow.run(sample, block, row, column);
      }
    });
  }
};

}  // namespace
}  // namespace plimsoll
