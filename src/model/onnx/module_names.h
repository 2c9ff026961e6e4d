// Nodes named after the modules that they come from, where the exporter says so, so that layers group as the network is
// written: "layer1.0.conv1" instead of "node_Conv_295".
#pragma once

#include "onnx/onnx.pb.h"

namespace plimsoll {

void name_by_module(onnx::GraphProto& graph);

}  // namespace plimsoll
