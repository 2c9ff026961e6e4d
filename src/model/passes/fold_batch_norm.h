// Folds a batch norm with stored statistics into the convolution before it, where nobody else reads the convolution's
// result: in an inference its numbers then pass through memory once.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many were folded.
int64_t fold_batch_norm(Program& program);

}  // namespace plimsoll
