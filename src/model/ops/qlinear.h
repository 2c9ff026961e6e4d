// What onnxruntime's quantised operations share: shapes of inputs that come as a number, its scale and its zero point.
// They are weighed and planned; no maths of ours runs them.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

// Inputs: x, scale, zero point, scale and zero point of the result. It is like x.
Op qlinear_unary(std::string_view name, std::string_view onnx, CostRule cost);

// Inputs: a, scale, zero point, b, scale, zero point, scale and zero point of the result; a and b broadcast.
Op qlinear_binary(std::string_view name, std::string_view onnx);

// The numbers of x, each with its own scale and zero point: for examples.
OpExample::Input quantised_input(Shape shape);

}  // namespace plimsoll
