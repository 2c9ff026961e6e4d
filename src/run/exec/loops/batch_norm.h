// Batch norm over channels that lie in blocks (see ChannelBlocks): passes over memory are as few as the maths allows.
// Statistics are those of pieces, one piece a sample and block of channels, joined in a fixed order: the same bits
// whatever the number of threads. Channels may lie in several arrays (BlockPlace): a concat that was never made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace plimsoll {

struct BatchNormShape {
  int64_t batch, channels, places, block;

  int64_t blocks() const { return (channels + block - 1) / block; }
  int64_t lanes() const { return blocks() * block; }               // channels with their padding
  int64_t piece() const { return places * block; }                 // numbers of a sample and block
  int64_t workspace() const { return (2 * batch + 6) * lanes(); }  // floats
};

// Where a block of channels is, when the channels of a tensor lie in several arrays: from the number `first` of an
// array on, samples `step` numbers apart.
struct BlockPlace {
  size_t array;
  int64_t first, step;
};

// A tensor's blocks of channels: all in one array, or each at its place. Borrows.
template <class Number>
class InBlocks {
 public:
  InBlocks(Number* whole) : whole_(whole) {}  // NOLINT(google-explicit-constructor): mostly it is one array
  InBlocks(std::byte* const* arrays, const std::vector<BlockPlace>& places) : arrays_(arrays), places_(places.data()) {}

  // nullptr where it is absent.
  Number* at(const BatchNormShape& shape, int64_t sample, int64_t block) const {
    if (!arrays_) return whole_ ? whole_ + (sample * shape.blocks() + block) * shape.piece() : nullptr;
    const BlockPlace& place = places_[block];
    auto* array = reinterpret_cast<Number*>(arrays_[place.array]);
    return array ? array + place.first + sample * place.step : nullptr;
  }

 private:
  Number* whole_ = nullptr;
  std::byte* const* arrays_ = nullptr;
  const BlockPlace* places_ = nullptr;
};

// What results are kept within: an activation's doing. A ReLU is from 0 on.
struct Bounds {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
};

struct BatchNormForward {
  InBlocks<const float> x;
  const float *scale, *bias;
  float *running_mean, *running_variance;  // moved by momentum
  InBlocks<float> y;
  float *mean, *inverse;  // of the batch: kept for the backward pass
  float epsilon, momentum;
  Bounds bounds;
  float* work;
};
void batch_norm_forward(const BatchNormShape& shape, const BatchNormForward& arrays);

struct BatchNormBackward {
  InBlocks<const float> dy, x;
  const float *scale, *mean, *inverse;
  InBlocks<float> dx;  // where it is wanted
  float *dscale, *dbias;
  float* work;
  const float* bias = nullptr;  // where results were kept within bounds: nothing flows back from outside of them
  Bounds bounds = {};
  InBlocks<const float> sum = nullptr;  // where it is there, dx is added to it
};
void batch_norm_backward(const BatchNormShape& shape, const BatchNormBackward& arrays);

// The same in halves, for statistics of several workers: what one brings (two sums of each channel, one after the other
// for all channels), and what is done with the sums of all, which are of `count` numbers a channel.
void batch_norm_sums(const BatchNormShape& shape, const float* x, float* work, double* sums);
void batch_norm_forward_with(const BatchNormShape& shape, const BatchNormForward& arrays, const double* sums,
                             double count);
// Sets dscale and dbias as well, of this worker's samples.
void batch_norm_gradient_sums(const BatchNormShape& shape, const BatchNormBackward& arrays, double* sums);
void batch_norm_backward_with(const BatchNormShape& shape, const BatchNormBackward& arrays, const double* sums,
                              double count);

// The backward pass where the statistics are given and do not move with x: `inverse` is not read.
void batch_norm_backward_stored(const BatchNormShape& shape, const BatchNormBackward& arrays, const float* variance,
                                double epsilon);

// y = x · factor + offset of the channel, for statistics that are given.
void scale_channels(const BatchNormShape& shape, const InBlocks<const float>& x, const float* factor,
                    const float* offset, const Bounds& bounds, const InBlocks<float>& y);

}  // namespace plimsoll
