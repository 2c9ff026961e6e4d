// What the operations that draw random numbers share: only weighed, never run here, and no
// arithmetic is counted because how a number is drawn is the runtime's choice.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

Op random_op(std::string_view name, std::string_view onnx);       // of the shape in an attribute
Op random_like_op(std::string_view name, std::string_view onnx);  // of its input's shape

}  // namespace plimsoll
