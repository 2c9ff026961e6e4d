// Weights that the network has once and the file more than once, as they are or transposed: exporters that fold a
// transpose into a weight write a copy wherever it is used. The copies are told by their numbers.
#pragma once

#include "model/ir/graph.h"
#include "model/onnx/tensors.h"

namespace plimsoll {

struct StoredParameter {
  ValueId id;
  const onnx::TensorProto* tensor = nullptr;
  TensorType type;
};

// Makes one of each; where a copy is transposed it becomes the transpose of the first. A note says how many there were.
// The names of the copies.
std::vector<std::string> tie_weights(Graph& graph, std::vector<StoredParameter> stored, const TensorFiles& files);

}  // namespace plimsoll
