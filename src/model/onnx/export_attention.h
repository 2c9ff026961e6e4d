// grouped_attention as nodes of opset 17: two products with a softmax between them, head by head.
#pragma once

#include "model/onnx/export_nodes.h"

namespace plimsoll {

Status export_grouped_attention(NodeWriter& to, const Node& node);

}  // namespace plimsoll
