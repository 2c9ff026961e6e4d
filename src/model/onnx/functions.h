// Model-local functions: operations that a file defines itself by a graph of others. They are
// inlined, so that everything after this knows only operations.
#pragma once

#include "base/result.h"
#include "model/onnx/import.h"
#include "model/onnx/opset.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

// Replaces every call of a function by its body, in subgraphs too, with attributes filled in.
// Functions that call themselves are refused by naming the circle; the result has at most
// limits.nodes nodes.
Status inline_functions(onnx::ModelProto& model, const Opsets& opsets, const ImportLimits& limits);

}  // namespace plimsoll
