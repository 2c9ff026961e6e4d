// A node's attributes as ours. Subgraphs are left to the graph builder.
#pragma once

#include "model/ir/attributes.h"
#include "model/onnx/tensors.h"

namespace plimsoll {

// ONNX's type of the attribute; older files leave it to be seen from what is filled in.
onnx::AttributeProto::AttributeType type_of(const onnx::AttributeProto& attribute);

Result<Attributes> read_attributes(const onnx::NodeProto& node, TensorFiles& files);

// Every graph among a node's attributes, in order.
std::vector<const onnx::GraphProto*> subgraphs_of(const onnx::NodeProto& node);

}  // namespace plimsoll
