// group_norm_grad: dy, x, scale → dx, dscale, dbias; attributes num_groups, epsilon, and "bias_size": the bias may be
// of each channel or of each group, as the scale may. Instance norm is this with a group a channel. The statistics
// are computed anew: they cost less than x does to read.
#pragma once

#include "model/ir/backward.h"

namespace plimsoll {

const Op& group_norm_grad();

// Emits it for the forward inputs x, scale and bias.
void emit_group_norm_grad(Backward& backward, int64_t groups);

}  // namespace plimsoll
