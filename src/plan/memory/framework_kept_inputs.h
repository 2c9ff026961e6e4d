// keep_inputs: operations of which PyTorch's autograd keeps the input although its backward kernel, or ours, could do
// without: relu6, pooling.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

void keep_inputs(Program& forward);

}  // namespace plimsoll
