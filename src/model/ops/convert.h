// Reference maths of cast and cast_like: every number of input 0 in output 0's type.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

bool convert_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out);

}  // namespace plimsoll
