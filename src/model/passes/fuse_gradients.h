// Puts the backward pass of an activation into that of the batch norm before it, which can tell from its own input
// where the activation was flat: one pass over the gradient and one over the activation less.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many went. After fuse(): the norm has the activation in it on the way forward.
int64_t fuse_gradients(Program& program);

}  // namespace plimsoll
