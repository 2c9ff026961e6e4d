// Adds to a convolution's result as it is written: the sum of a residual block then takes no pass over memory of its
// own. For inferences; in training a batch norm stands between the two.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many additions went.
int64_t fuse_sums(Program& program);

}  // namespace plimsoll
