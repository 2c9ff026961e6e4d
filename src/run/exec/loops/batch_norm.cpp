#include "run/exec/loops/batch_norm.h"

#include <cmath>
#include <cstring>

#include "run/exec/loops/parallel.h"

// Rows are never passed: what takes one is inlined everywhere.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace plimsoll {
namespace {

// A piece is read in rows of kRow numbers. Blocks of 16, 8 and 1 channels divide it, so lane k of every row belongs
// to channel k % block of the piece.
constexpr int64_t kRow = 16, kSums = 4;  // several sums at once, since an addition waits for the one before it
using Row = float __attribute__((vector_size(kRow * sizeof(float))));

inline PLIM_INLINE Row load(const float* p, int64_t count = kRow) {
  Row row{};
  std::memcpy(&row, p, size_t(count) * sizeof(float));
  return row;
}
inline PLIM_INLINE void store(float* p, const Row& row, int64_t count = kRow) {
  std::memcpy(p, &row, size_t(count) * sizeof(float));
}

// One number a channel in every lane of that channel.
inline PLIM_INLINE Row spread(const float* channels, int64_t block) {
  Row row{};
  for (int64_t k = 0; k < kRow; ++k) row[k] = channels[k & (block - 1)];
  return row;
}
inline PLIM_INLINE void fold(const Row (&sums)[kSums], int64_t block, float* channels) {
  const Row sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (int64_t k = 0; k < block; ++k) channels[k] = 0;
  for (int64_t k = 0; k < kRow; ++k) channels[k & (block - 1)] += sum[k];
}

// f(first number, how many, which sum) for each row, the last of which may be short.
template <class F>
inline PLIM_INLINE void for_rows(int64_t count, F&& f) {
  int64_t i = 0;
  for (; i + kSums * kRow <= count; i += kSums * kRow) {
    f(i, kRow, 0);
    f(i + kRow, kRow, 1);
    f(i + 2 * kRow, kRow, 2);
    f(i + 3 * kRow, kRow, 3);
  }
  for (; i + kRow <= count; i += kRow) f(i, kRow, 0);
  if (i < count) f(i, count - i, 0);
}

// A difference of a short row counts only where there is a number.
inline PLIM_INLINE Row difference(const float* x, int64_t count, const Row& from) {
  Row off = load(x, count) - from;
  if (count < kRow)
    for (int64_t k = count; k < kRow; ++k) off[k] = 0;
  return off;
}

PLIM_CLONES void piece_moments(const float* x, int64_t places, int64_t block, float* mean, float* squares) {
  const int64_t numbers = places * block;
  Row sum[kSums] = {}, square[kSums] = {};
  for_rows(numbers, [&](int64_t i, int64_t count, int which) PLIM_INLINE { sum[which] += load(x + i, count); });
  fold(sum, block, mean);
  for (int64_t k = 0; k < block; ++k) mean[k] /= float(places);
  const Row middle = spread(mean, block);
  for_rows(numbers, [&](int64_t i, int64_t count, int which) PLIM_INLINE {
    const Row off = difference(x + i, count, middle);
    square[which] += off * off;
  });
  fold(square, block, squares);
}

// With the channels last a block has them all, however many they are.
PLIM_CLONES void channels_scaled(const float* x, int64_t places, int64_t channels, const float* factor,
                                 const float* offset, const Bounds& bounds, float* y) {
  const float low = bounds.low, high = bounds.high;
  for (int64_t at = 0; at < places * channels; at += channels) {
#pragma omp simd
    for (int64_t c = 0; c < channels; ++c) {
      const float value = x[at + c] * factor[c] + offset[c], risen = value < low ? low : value;
      y[at + c] = risen > high ? high : risen;
    }
  }
}

PLIM_CLONES void piece_scaled(const float* x, int64_t places, int64_t block, const float* factor, const float* offset,
                              const Bounds& bounds, float* y) {
  if (kRow % block != 0) return channels_scaled(x, places, block, factor, offset, bounds, y);
  const Row f = spread(factor, block), o = spread(offset, block), low = Row{} + bounds.low, high = Row{} + bounds.high;
  for_rows(places * block, [&](int64_t i, int64_t count, int) PLIM_INLINE {
    const Row value = load(x + i, count) * f + o, risen = value < low ? low : value;
    store(y + i, risen > high ? high : risen, count);
  });
}

// Of the channels of a piece, where the norm's results were kept within bounds: x · factor + offset was the result.
struct Inside {
  const float *factor = nullptr, *offset = nullptr;
  Bounds bounds = {};
};

// The gradient where the result was inside of its bounds, else 0. Numbers, not rows: choosing between rows does not
// become one instruction.
PLIM_CLONES void keep_inside(const float* dy, const float* x, int64_t count, int64_t block, const Inside& inside,
                             float* kept) {
  float f[kRow], o[kRow];
  for (int64_t k = 0; k < kRow; ++k) {
    f[k] = inside.factor[k & (block - 1)];
    o[k] = inside.offset[k & (block - 1)];
  }
  const float low = inside.bounds.low, high = inside.bounds.high;
  int64_t i = 0;
  for (; i + kRow <= count; i += kRow) {
#pragma omp simd
    for (int64_t k = 0; k < kRow; ++k) {
      const float gradient = dy[i + k], y = x[i + k] * f[k] + o[k];  // read whether it flows or not: no branch
      kept[i + k] = y > low && y < high ? gradient : 0.0F;
    }
  }
  for (; i < count; ++i) {
    const float y = x[i] * f[i % kRow] + o[i % kRow];
    kept[i] = y > low && y < high ? dy[i] : 0.0F;
  }
}

constexpr int64_t kChunk = 16 * kSums * kRow;  // numbers that stay in the nearest cache

// f(gradient that flows, first number, how many) for each chunk of a piece.
template <class F>
inline PLIM_INLINE void for_chunks(const float* dy, const float* x, int64_t numbers, int64_t block,
                                   const Inside& inside, F&& f) {
  float kept[kChunk];
  for (int64_t at = 0; at < numbers; at += kChunk) {
    const int64_t count = numbers - at < kChunk ? numbers - at : kChunk;
    if (inside.factor) keep_inside(dy + at, x + at, count, block, inside, kept);
    f(inside.factor ? kept : dy + at, at, count);
  }
}

PLIM_CLONES void piece_gradient_sums(const float* dy, const float* x, int64_t numbers, int64_t block, const float* mean,
                                     const Inside& inside, float* sum_dy, float* sum_dy_x) {
  const Row middle = spread(mean, block);
  Row sum[kSums] = {}, product[kSums] = {};
  for_chunks(dy, x, numbers, block, inside, [&](const float* flows, int64_t at, int64_t all) PLIM_INLINE {
    for_rows(all, [&](int64_t i, int64_t count, int which) PLIM_INLINE {
      const Row gradient = load(flows + i, count);  // zero where there is no number
      sum[which] += gradient;
      product[which] += gradient * (load(x + at + i, count) - middle);
    });
  });
  fold(sum, block, sum_dy);
  fold(product, block, sum_dy_x);
}

// dx = dy · a + x · b + c of the channel, and the sum so far, if there is one
PLIM_CLONES void piece_gradient(const float* dy, const float* x, int64_t numbers, int64_t block, const float* a,
                                const float* b, const float* c, const Inside& inside, const float* sum, float* dx) {
  const Row ra = spread(a, block), rb = spread(b, block), rc = spread(c, block);
  for_chunks(dy, x, numbers, block, inside, [&](const float* flows, int64_t at, int64_t all) PLIM_INLINE {
    const auto gradient = [&](int64_t i, int64_t count)
                              PLIM_INLINE { return load(flows + i, count) * ra + load(x + at + i, count) * rb + rc; };
    if (sum)
      for_rows(all, [&](int64_t i, int64_t count, int)
                        PLIM_INLINE { store(dx + at + i, load(sum + at + i, count) + gradient(i, count), count); });
    else
      for_rows(all, [&](int64_t i, int64_t count, int) PLIM_INLINE { store(dx + at + i, gradient(i, count), count); });
  });
}

// f(sample, block of channels) for each piece.
template <class F>
void for_pieces(const BatchNormShape& shape, F&& f) {
  const int64_t pieces = shape.batch * shape.blocks();
  parallel_items(pieces, pieces * shape.piece(), [&](int64_t i) { f(i / shape.blocks(), i % shape.blocks()); });
}

// gather(sample, block of channels) for each piece, then join(channel with its padding), then write(sample, block).
// Where there are blocks of channels enough for all threads, each carries its own through all three while they are in
// its cache.
template <class Gather, class Join, class Write>
void in_stages(const BatchNormShape& shape, Gather&& gather, Join&& join, Write&& write) {
  const int64_t blocks = shape.blocks(), threads = most_threads();
  if (blocks % threads != 0 && blocks < 4 * threads) {
    for_pieces(shape, gather);
    for (int64_t c = 0; c < shape.lanes(); ++c) join(c);
    for_pieces(shape, write);
    return;
  }
  parallel_items(blocks, shape.batch * blocks * shape.piece(), [&](int64_t block) {
    for (int64_t n = 0; n < shape.batch; ++n) gather(n, block);
    for (int64_t c = block * shape.block; c < (block + 1) * shape.block; ++c) join(c);
    for (int64_t n = shape.batch; n-- > 0;) write(n, block);  // what was read last is nearest
  });
}

// Sums of dy and of dy · (x - mean) of the pieces, at the front of the workspace, and what stands after them.
struct GradientSums {
  const BatchNormShape& shape;
  const BatchNormBackward& arrays;
  const int64_t lanes;
  float *sums, *products, *mean, *factor, *offset, *behind;  // factor and offset: of results within bounds

  GradientSums(const BatchNormShape& shape, const BatchNormBackward& arrays)
      : shape(shape),
        arrays(arrays),
        lanes(shape.lanes()),
        sums(arrays.work),
        products(sums + shape.batch * lanes),
        mean(products + shape.batch * lanes),
        factor(mean + lanes),
        offset(factor + (arrays.bias ? lanes : 0)),
        behind(offset + (arrays.bias ? lanes : 0)) {
    for (int64_t c = 0; c < lanes; ++c) {
      const bool there = c < shape.channels;
      mean[c] = there ? arrays.mean[c] : 0;
      if (!arrays.bias) continue;
      factor[c] = there ? arrays.scale[c] * arrays.inverse[c] : 0;
      offset[c] = there ? arrays.bias[c] - arrays.mean[c] * factor[c] : 0;
    }
  }

  Inside inside(int64_t lane) const {
    return arrays.bias ? Inside{factor + lane, offset + lane, arrays.bounds} : Inside{};
  }

  void gather(int64_t sample, int64_t block) const {
    const int64_t lane = block * shape.block, into = sample * lanes + lane;
    piece_gradient_sums(arrays.dy.at(shape, sample, block), arrays.x.at(shape, sample, block), shape.piece(),
                        shape.block, mean + lane, inside(lane), sums + into, products + into);
  }

  struct OfChannel {
    double sum = 0, product = 0;
  };
  OfChannel of(int64_t channel) const {
    OfChannel result;
    for (int64_t n = 0; n < shape.batch; ++n) {
      result.sum += sums[n * lanes + channel];
      result.product += products[n * lanes + channel];
    }
    return result;
  }
};

// Mean and sum of squared differences from it, of a channel, from those of its pieces.
struct Moments {
  double mean = 0, square = 0;

  Moments(const BatchNormShape& shape, const float* means, const float* squares, int64_t channel) {
    const int64_t lanes = shape.lanes();
    for (int64_t n = 0; n < shape.batch; ++n) mean += means[n * lanes + channel];
    mean /= double(shape.batch);
    for (int64_t n = 0; n < shape.batch; ++n) {
      const double off = means[n * lanes + channel] - mean;
      square += squares[n * lanes + channel] + off * off * double(shape.places);
    }
  }
};

}  // namespace

void scale_channels(const BatchNormShape& shape, const InBlocks<const float>& x, const float* factor,
                    const float* offset, const Bounds& bounds, const InBlocks<float>& y) {
  for_pieces(shape, [&](int64_t sample, int64_t block) {
    const int64_t lane = block * shape.block;
    piece_scaled(x.at(shape, sample, block), shape.places, shape.block, factor + lane, offset + lane, bounds,
                 y.at(shape, sample, block));
  });
}

void batch_norm_forward(const BatchNormShape& shape, const BatchNormForward& a) {
  const int64_t lanes = shape.lanes();
  float *means = a.work, *squares = means + shape.batch * lanes, *factor = squares + shape.batch * lanes,
        *offset = factor + lanes;
  const double count = double(shape.batch * shape.places), momentum = a.momentum;
  in_stages(
      shape,
      [&](int64_t sample, int64_t block) {
        const int64_t into = sample * lanes + block * shape.block;
        piece_moments(a.x.at(shape, sample, block), shape.places, shape.block, means + into, squares + into);
      },
      [&](int64_t c) {
        factor[c] = offset[c] = 0;  // padding stays zero
        if (c >= shape.channels) return;
        const Moments of(shape, means, squares, c);
        const double inverse = 1 / std::sqrt(of.square / count + double(a.epsilon));
        const double unbiased = of.square / std::max(count - 1, 1.0);
        a.running_mean[c] = float(a.running_mean[c] * momentum + of.mean * (1 - momentum));
        a.running_variance[c] = float(a.running_variance[c] * momentum + unbiased * (1 - momentum));
        a.mean[c] = float(of.mean);
        a.inverse[c] = float(inverse);
        factor[c] = float(a.scale[c] * inverse);
        offset[c] = float(a.bias[c] - of.mean * a.scale[c] * inverse);
      },
      [&](int64_t sample, int64_t block) {
        const int64_t lane = block * shape.block;
        piece_scaled(a.x.at(shape, sample, block), shape.places, shape.block, factor + lane, offset + lane, a.bounds,
                     a.y.at(shape, sample, block));
      });
}

void batch_norm_backward_stored(const BatchNormShape& shape, const BatchNormBackward& a, const float* variance,
                                double epsilon) {
  const GradientSums sums(shape, a);
  float *factor = sums.behind, *offset = factor + sums.lanes;
  in_stages(
      shape, [&](int64_t sample, int64_t block) { sums.gather(sample, block); },
      [&](int64_t c) {
        factor[c] = offset[c] = 0;
        if (c >= shape.channels) return;
        const auto of = sums.of(c);
        const double inverse = 1 / std::sqrt(variance[c] + epsilon);
        factor[c] = float(a.scale[c] * inverse);
        if (a.dbias) a.dbias[c] = float(of.sum);
        if (a.dscale) a.dscale[c] = float(of.product * inverse);
      },
      [&](int64_t sample, int64_t block) {
        const int64_t lane = block * shape.block;
        piece_scaled(a.dy.at(shape, sample, block), shape.places, shape.block, factor + lane, offset + lane, {},
                     a.dx.at(shape, sample, block));
      });
}

void batch_norm_backward(const BatchNormShape& shape, const BatchNormBackward& a) {
  const GradientSums sums(shape, a);
  float *fa = sums.behind, *fb = fa + sums.lanes, *fc = fb + sums.lanes;
  const double count = double(shape.batch * shape.places);
  in_stages(
      shape, [&](int64_t sample, int64_t block) { sums.gather(sample, block); },
      [&](int64_t c) {
        fa[c] = fb[c] = fc[c] = 0;
        if (c >= shape.channels) return;
        const auto of = sums.of(c);
        const double inverse = a.inverse[c], slope = a.scale[c] * inverse;
        a.dbias[c] = float(of.sum);
        a.dscale[c] = float(of.product * inverse);
        // dx = slope · (dy - sum/count - (x - mean) · inverse² · product/count)
        const double along = -slope * inverse * inverse * of.product / count;
        fa[c] = float(slope);
        fb[c] = float(along);
        fc[c] = float(-slope * of.sum / count - along * double(a.mean[c]));
      },
      [&](int64_t sample, int64_t block) {
        const int64_t lane = block * shape.block;
        float* dx = a.dx.at(shape, sample, block);
        if (dx)
          piece_gradient(a.dy.at(shape, sample, block), a.x.at(shape, sample, block), shape.piece(), shape.block,
                         fa + lane, fb + lane, fc + lane, sums.inside(lane), a.sum.at(shape, sample, block), dx);
      });
}

void batch_norm_sums(const BatchNormShape& shape, const float* x, float* work, double* sums) {
  float *means = work, *squares = means + shape.batch * shape.lanes();
  const InBlocks<const float> blocks(x);
  for_pieces(shape, [&](int64_t sample, int64_t block) {
    const int64_t into = sample * shape.lanes() + block * shape.block;
    piece_moments(blocks.at(shape, sample, block), shape.places, shape.block, means + into, squares + into);
  });
  const double count = double(shape.batch * shape.places);
  for (int64_t c = 0; c < shape.channels; ++c) {
    const Moments of(shape, means, squares, c);
    sums[c] = of.mean * count;
    sums[c + shape.channels] = of.square + of.mean * of.mean * count;
  }
}

void batch_norm_forward_with(const BatchNormShape& shape, const BatchNormForward& a, const double* sums, double count) {
  float *factor = a.work, *offset = factor + shape.lanes();
  const double momentum = a.momentum;
  for (int64_t c = 0; c < shape.lanes(); ++c) {
    factor[c] = offset[c] = 0;
    if (c >= shape.channels) continue;
    const double mean = sums[c] / count, square = std::max(sums[c + shape.channels] - sums[c] * mean, 0.0);
    const double inverse = 1 / std::sqrt(square / count + double(a.epsilon));
    a.running_mean[c] = float(a.running_mean[c] * momentum + mean * (1 - momentum));
    a.running_variance[c] =
        float(a.running_variance[c] * momentum + square / std::max(count - 1, 1.0) * (1 - momentum));
    a.mean[c] = float(mean);
    a.inverse[c] = float(inverse);
    factor[c] = float(a.scale[c] * inverse);
    offset[c] = float(a.bias[c] - mean * a.scale[c] * inverse);
  }
  scale_channels(shape, a.x, factor, offset, a.bounds, a.y);
}

void batch_norm_gradient_sums(const BatchNormShape& shape, const BatchNormBackward& a, double* sums) {
  const GradientSums own(shape, a);
  for_pieces(shape, [&](int64_t sample, int64_t block) { own.gather(sample, block); });
  for (int64_t c = 0; c < shape.channels; ++c) {
    const auto of = own.of(c);
    sums[c] = of.sum;
    sums[c + shape.channels] = of.product * double(a.inverse[c]);
    a.dbias[c] = float(sums[c]);
    a.dscale[c] = float(sums[c + shape.channels]);
  }
}

void batch_norm_backward_with(const BatchNormShape& shape, const BatchNormBackward& a, const double* sums,
                              double count) {
  float *fa = a.work, *fb = fa + shape.lanes(), *fc = fb + shape.lanes();
  for (int64_t c = 0; c < shape.lanes(); ++c) {
    fa[c] = fb[c] = fc[c] = 0;
    if (c >= shape.channels) continue;
    const double inverse = a.inverse[c], slope = a.scale[c] * inverse;
    const double along = -slope * inverse * sums[c + shape.channels] / count;
    fa[c] = float(slope);
    fb[c] = float(along);
    fc[c] = float(-slope * sums[c] / count - along * double(a.mean[c]));
  }
  for_pieces(shape, [&](int64_t sample, int64_t block) {
    const int64_t lane = block * shape.block;
    piece_gradient(a.dy.at(shape, sample, block), a.x.at(shape, sample, block), shape.piece(), shape.block, fa + lane,
                   fb + lane, fc + lane, {}, nullptr, a.dx.at(shape, sample, block));
  });
}

}  // namespace plimsoll
