// What the backward pass costs, from the forward one: a matrix product or convolution is paid once
// more for each of its inputs that needs a gradient (the first layer's data does not), every other
// operation once more when anything before it is trained.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

Flops backward_flops(const Program& program);

}  // namespace plimsoll
