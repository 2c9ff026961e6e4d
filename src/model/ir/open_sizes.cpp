#include "model/ir/open_sizes.h"

#include <algorithm>

namespace plimsoll {

std::set<std::string> open_sizes(const Graph& graph, bool sample_is_given) {
  std::set<std::string> names;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const SymbolicShape& shape = *graph.value(graph.inputs[i]).shape;
    const size_t kept = i == 0 && sample_is_given ? std::min<size_t>(1, shape.size()) : shape.size();
    for (size_t axis = 0; axis < kept; ++axis)
      if (shape[axis].is_symbolic() && shape[axis].symbol != graph.batch_symbol) names.insert(shape[axis].symbol);
  }
  return names;
}

}  // namespace plimsoll
