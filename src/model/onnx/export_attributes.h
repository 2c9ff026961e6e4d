// Attributes and small tensors of ours as ONNX's.
#pragma once

#include "model/ir/attributes.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

void fill_tensor(onnx::TensorProto& proto, const Tensor& tensor);

void add_attribute(onnx::NodeProto& node, const std::string& name, const Attribute& value);

// Whether a node of opset 17 may have it: not what only our own operations read, nor what opsets have dropped since.
bool is_known_to_onnx(std::string_view attribute);

}  // namespace plimsoll
