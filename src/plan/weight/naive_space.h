// Naive space: the numbers of a layer's pass when everything is kept, as the lectures count them.
//
// Fully connected, n → k, batch B: the lectures keep a weight gradient for every sample,
//   (n+1)k + B((n+1)k + 2n + 2k).
// A real step sums it over the batch, and that is what we show:
//   2(n+1)k + 2B(n+k), for one sample 2((n+1)k + n + k): weights, input and output, each with its gradient.
// Convolution: input once, kernels once, output with its gradient: the input's and the kernels'
// gradients are left out there, as for a first layer whose kernels are updated on the fly.
// Inference keeps no gradients: weights, input and output once.
#pragma once

#include "plan/weight/weigh.h"

namespace plimsoll {

Bytes naive_space(const LayerWeight& layer, Mode mode);

}  // namespace plimsoll
