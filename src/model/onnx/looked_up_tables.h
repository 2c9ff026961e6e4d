// Tables that an exporter has written out, stored again as the network has them: a table of rows that it looked up by
// itself (positions relative to one another, of all pairs in a window), and biases of queries, keys and values that it
// joined where keys have none. Told by their numbers.
#pragma once

#include "model/onnx/tied_weights.h"

namespace plimsoll {

// Rows that occur again and again are stored once each and looked up by the network; a third that is all zeros, between
// two that are not, is no parameter.
void store_looked_up(Graph& graph, const std::vector<StoredParameter>& stored, const TensorFiles& files);

}  // namespace plimsoll
