// Reference maths of cast and cast_like: every number of input 0 in output 0's type.
#pragma once

#include "model/ir/backward.h"

namespace plimsoll {

bool convert_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out);

// The gradient of a number is that of its copy, in its own type; whole numbers and truths have none.
void convert_gradient(Backward& backward);

}  // namespace plimsoll
