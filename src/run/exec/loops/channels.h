// Loops over (batch, channels, places) with the channels in blocks.
#pragma once

#include <cstdint>

namespace plimsoll {

struct ChannelRows {
  int64_t batch, channels, places, block;
  int64_t blocks() const { return (channels + block - 1) / block; }
  int64_t lanes() const { return blocks() * block; }
  int64_t piece() const { return places * block; }
};

// Sums over places, and over the batch as well or not. `work`: batch · lanes floats.
void sum_channels(const ChannelRows& rows, const float* x, bool over_batch, float* sums, float* work);

// y = x · part or x + part, part being one number a channel, or one a sample and channel; padding stays zero.
void apply_channels(const ChannelRows& rows, const float* x, const float* part, bool each_sample, bool product,
                    float* y);

}  // namespace plimsoll
