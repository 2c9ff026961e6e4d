// Weights of 4 bits that a file has as bytes, two in each: said to be what they are, so that they count as what they
// are.
#pragma once

#include "onnx/onnx.pb.h"

namespace plimsoll {

void retype_packed_weights(onnx::GraphProto& graph);

}  // namespace plimsoll
