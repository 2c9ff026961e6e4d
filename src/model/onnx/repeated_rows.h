// Parameters that an exporter has repeated for each sample of a fixed batch, as with a class token: stored once, and
// repeated by the network.
#pragma once

#include "model/onnx/tied_weights.h"

namespace plimsoll {

void store_once(Graph& graph, const std::vector<StoredParameter>& stored, const TensorFiles& files);

}  // namespace plimsoll
