// conv_norm: a convolution with the batch norm after it folded in, as an inference runs them.
//   x, weights, bias (may be absent), scale, shift, mean, variance → y; attributes of conv and batch norm's "epsilon"
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& conv_norm();

}  // namespace plimsoll
