// The loops of one instruction set.
#pragma once

#include "run/exec/winograd/winograd.h"

namespace plimsoll {

struct WinogradLoops {
  int64_t block;
  int64_t (*space)(const WinogradConv&);
  int64_t (*gradient_space)(const WinogradConv&);
  void (*convolve)(const WinogradConv&, const float* x, const float* weights, ChannelShift shift, float* y,
                   float* work);
  void (*gradient)(const WinogradConv&, const float* x, const float* dy, float* dweights, float* work);
};

const WinogradLoops& winograd_avx2();
const WinogradLoops& winograd_avx512();

}  // namespace plimsoll
