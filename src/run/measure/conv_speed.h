// Measures how fast this machine convolves (conv_rates.h): the engine's kernels for every direction and method, over
// channels and places.
#pragma once

#include "base/result.h"
#include "plan/devices/conv_rates.h"
#include "run/measure/kernel_time.h"

namespace plimsoll {

struct ConvEffort {
  KernelEffort each;
  // Over the whole grid, so that a busy moment spoils no point: at least so many, then until one finds little faster.
  int rounds = 2, most_rounds = 6;
  int every = 1;  // leaves out points of the grid: 2 takes every other number of channels
};

Result<ConvRates> measure_conv_speed(int threads, const ConvEffort& effort);

// A matrix product as the 1x1 convolution that it amounts to: places × in by in × out.
Result<Program> product_program(const ConvLayer& layer);

// One direction of a convolution, alone. Padded so that a stride of 1 keeps the size.
Result<Program> conv_program(ConvDirection direction, const ConvLayer& layer);

}  // namespace plimsoll
