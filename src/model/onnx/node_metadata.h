// What exporters write beside a node: where in the module it comes from, and what their optimizer made of it. The
// schema that we are built with does not have the field, so it is read from what protobuf did not know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "onnx/onnx.pb.h"

namespace plimsoll {

// Whether the scan keeps an entry of this key.
bool is_read_metadata(std::string_view key);

// "layer1", "layer1.0", "layer1.0.conv1", "conv2d_1": the modules around a node, outermost first, and the operation of
// torch.export's graph last. Empty where the exporter did not say.
std::vector<std::string> module_scopes(const onnx::NodeProto& node);

// "RemoveOptionalBiasFromConv, FuseBatchNormIntoConv": the rules that an optimizer wrote the node by.
std::string rewrite_rules(const onnx::NodeProto& node);

}  // namespace plimsoll
