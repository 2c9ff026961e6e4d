// evaluate_graph: a whole network by reference maths, node by node. Slow and plain: tests compare
// operations and imports with the results of others through it.
#pragma once

#include "model/ir/graph.h"

namespace plimsoll {

// The outputs for inputs given in the order of Graph::inputs. An undetermined() error when an
// operation is unknown or has no reference maths for its types, or contents were not stored.
Result<std::vector<Tensor>> evaluate_graph(const Graph& graph, const std::vector<TensorPtr>& inputs);

}  // namespace plimsoll
