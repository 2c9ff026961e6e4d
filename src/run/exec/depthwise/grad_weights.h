// The gradient of a depthwise convolution's weights. Samples are summed in pieces whose number does not depend on the
// threads, and joined in a fixed order. `taps` is the width of the kernel, 0: known only at the run.
#pragma once

#include "run/exec/depthwise/planes.h"

namespace plimsoll {
namespace {

// So many pieces of work there should be at least.
constexpr int64_t kPieces = 64;

inline int64_t pieces_of(const DepthwiseConv& conv) {
  const int64_t wanted = blocks_of(kPieces, blocks_of(conv.channels, kLanes));
  return wanted < conv.batch ? wanted : conv.batch;
}

inline int64_t weights_of(const DepthwiseConv& conv) {
  return blocks_of(conv.channels, kLanes) * conv.kernel_height * conv.kernel_width * kLanes;
}

inline int64_t gradient_space(const DepthwiseConv& conv) {
  return pieces_of(conv) > 1 ? pieces_of(conv) * weights_of(conv) : 0;
}

// One row of the kernel, and the rows of outputs that it meets.
template <int taps, int stride, int tile>
class GradWeightsRow {
  // Sums of the same tap take turns where there are few taps: an addition waits for the one before it.
  static constexpr int kTurns = taps > 5 ? 1 : taps > 3 ? 2 : 3;

 public:
  GradWeightsRow(const DepthwiseConv& conv, const float* x, const float* dy)
      : conv_(conv),
        in_(conv, conv.in_height, conv.in_width),
        out_(conv, conv.out_height, conv.out_width),
        x_(x),
        dy_(dy) {}

  // Adds to the sums of kernel row `i`.
  void run(int64_t sample, int64_t block, int64_t i, Share rows, float* sums) const {
    const float *x = x_ + in_.at(sample, block), *dy = dy_ + out_.at(sample, block);
    Vec sum[kTurns][taps] = {};
    for (int64_t row = rows.from; row < rows.to; ++row) {
      const int64_t down = row * conv_.stride_down - conv_.pad_top + i;
      if (!is_inside(down, in_.height)) continue;
      for (int64_t column = 0; column < out_.width; column += tile) {
        const int64_t left = column * stride - conv_.pad_left;
        const float* from = x + down * in_.row() + left * in_.step;
        const float* slope = dy + row * out_.row() + column * out_.step;
        const bool inside = left >= 0 && left + (tile - 1) * stride + taps <= in_.width && column + tile <= out_.width;
        inside ? add<true>(sum, from, left, slope, tile) : add<false>(sum, from, left, slope, out_.width - column);
      }
    }
#pragma GCC unroll 16
    for (int k = 0; k < taps; ++k) {
      Vec all = sum[0][k];
#pragma GCC unroll 4
      for (int turn = 1; turn < kTurns; ++turn) all += sum[turn][k];
      store(sums + k * kLanes, load(sums + k * kLanes) + all);
    }
  }

 private:
  template <bool inside>
  PLIM_INLINE void add(Vec (&sum)[kTurns][taps], const float* from, int64_t left, const float* slope,
                       int64_t count) const {
    Vec dy[tile];
#pragma GCC unroll 16
    for (int t = 0; t < tile; ++t) dy[t] = inside || t < count ? load(slope + t * out_.step) : Vec{};
#pragma GCC unroll 64
    for (int p = 0; p < (tile - 1) * stride + taps; ++p) {
      if (!inside && !is_inside(left + p, in_.width)) continue;
      const Vec x = load(from + p * in_.step);
#pragma GCC unroll 16
      for (int k = 0; k < taps; ++k) {
        const int t = (p - k) / stride;
        if (p >= k && (p - k) % stride == 0 && t < tile) sum[p / stride % kTurns][k] += x * dy[t];
      }
    }
  }

  const DepthwiseConv& conv_;
  const Planes in_, out_;
  const float *x_, *dy_;
};

// Of a kernel whose width is known only at the run: tap by tap.
template <int stride, int tile>
class GradWeightsRow<0, stride, tile> {
 public:
  GradWeightsRow(const DepthwiseConv& conv, const float* x, const float* dy)
      : conv_(conv),
        in_(conv, conv.in_height, conv.in_width),
        out_(conv, conv.out_height, conv.out_width),
        x_(x),
        dy_(dy) {}

  void run(int64_t sample, int64_t block, int64_t i, Share rows, float* sums) const {
    const float *x = x_ + in_.at(sample, block), *dy = dy_ + out_.at(sample, block);
    for (int64_t row = rows.from; row < rows.to; ++row) {
      const int64_t down = row * conv_.stride_down - conv_.pad_top + i;
      if (!is_inside(down, in_.height)) continue;
      for (int64_t k = 0; k < conv_.kernel_width; ++k)
        store(sums + k * kLanes,
              load(sums + k * kLanes) + row_of(x + down * in_.row(), dy + row * out_.row(), k - conv_.pad_left));
    }
  }

 private:
  // Two sums take turns: an addition waits for the one before it.
  Vec row_of(const float* x, const float* dy, int64_t shift) const {
    const int64_t first = shift < 0 ? (-shift + stride - 1) / stride : 0;
    const int64_t past = in_.width - shift > 0 ? blocks_of(in_.width - shift, stride) : 0;
    const int64_t end = past < out_.width ? past : out_.width;
    Vec even{}, odd{};
    int64_t column = first;
    for (; column + 1 < end; column += 2) {
      even += load(x + (column * stride + shift) * in_.step) * load(dy + column * out_.step);
      odd += load(x + (column * stride + stride + shift) * in_.step) * load(dy + (column + 1) * out_.step);
    }
    if (column < end) even += load(x + (column * stride + shift) * in_.step) * load(dy + column * out_.step);
    return even + odd;
  }

  const DepthwiseConv& conv_;
  const Planes in_, out_;
  const float *x_, *dy_;
};

template <int taps, int stride>
struct GradWeights {
  // Rows of both planes that lie in the nearest cache while the rows of the kernel pass over them.
  static int64_t band_of(const DepthwiseConv& conv) {
    constexpr int64_t kNear = 20 << 10;
    const int64_t row = (conv.in_width * conv.stride_down + conv.out_width) * kLanes * int64_t(sizeof(float));
    return kNear / row > 4 ? kNear / row : 4;
  }

  template <class Row>
  static void add_plane(const DepthwiseConv& conv, const Row& kernel, int64_t sample, int64_t block, float* sums) {
    const int64_t band = band_of(conv);
    for (int64_t row = 0; row < conv.out_height; row += band) {
      const int64_t last = row + band < conv.out_height ? row + band : conv.out_height;
      for (int64_t i = 0; i < conv.kernel_height; ++i)
        kernel.run(sample, block, i, {row, last}, sums + i * conv.kernel_width * kLanes);
    }
  }

  static void run(const DepthwiseConv& conv, const float* x, const float* dy, float* dweights, float* work) {
    const GradWeightsRow<taps, stride, kWideTile> wide(conv, x, dy);
    const GradWeightsRow<taps, stride, kNarrowTile> narrow(conv, x, dy);
    const int64_t pieces = pieces_of(conv), blocks = blocks_of(conv.channels, kLanes);
    const int64_t weights = weights_of(conv), each = weights / blocks;
    float* sums = pieces > 1 ? work : dweights;
    for_items(conv.threads, pieces * blocks, [&](int64_t item) {
      const int64_t piece = item / blocks, block = item % blocks;
      float* own = sums + piece * weights + block * each;
      for (int64_t k = 0; k < each; k += kLanes) store(own + k, Vec{});
      const Share samples = share(conv.batch, piece, pieces);
      for (int64_t sample = samples.from; sample < samples.to; ++sample)
        conv.out_width > kNarrowTile ? add_plane(conv, wide, sample, block, own)
                                     : add_plane(conv, narrow, sample, block, own);
    });
    if (pieces == 1) return;
    for_items(conv.threads, blocks, [&](int64_t block) {
      for (int64_t at = block * each; at < (block + 1) * each; at += kLanes) {
        Vec sum = load(work + at);
        for (int64_t piece = 1; piece < pieces; ++piece) sum += load(work + piece * weights + at);
        store(dweights + at, sum);
      }
    });
  }
};

}  // namespace
}  // namespace plimsoll
