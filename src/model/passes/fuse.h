// Puts an activation into the operation before it, so that its numbers pass through memory once less: a ReLU into a
// convolution, a batch norm or an addition, some others into a convolution or a batch norm. In training, too, wherever
// the backward pass needs only the activation's result.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many were fused.
int64_t fuse(Program& program);

}  // namespace plimsoll
