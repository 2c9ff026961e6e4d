// How a file's attentions were computed where it comes from. PyTorch's exporters write scaled_dot_product_attention out
// with half of the scale on the queries and half on the keys, and with a guard against NaN, which nobody does by hand.
#pragma once

#include "model/ir/graph.h"

namespace plimsoll {

// Sets `eager` on the softmax of every attention that the network computed from single operations.
void mark_eager_attention(Graph& graph);

}  // namespace plimsoll
