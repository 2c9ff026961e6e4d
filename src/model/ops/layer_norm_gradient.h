// layer_norm_grad: dy, x, scale → dx, dscale, dbias; attributes of layer_norm. The statistics are computed anew:
// they cost less than x does to read.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& layer_norm_grad();

}  // namespace plimsoll
