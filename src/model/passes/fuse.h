// Puts a ReLU into the operation before it (convolution, batch norm, addition), so that its numbers pass through
// memory once less. The way back needs only the ReLU's result, so this holds in training too.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many were fused.
int64_t fuse(Program& program);

}  // namespace plimsoll
