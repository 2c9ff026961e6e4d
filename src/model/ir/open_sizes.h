// The names of the sizes that a network's inputs leave open, besides the batch: somebody has to say them before it can
// be bound.
#pragma once

#include <set>
#include <string>

#include "model/ir/graph.h"

namespace plimsoll {

// `sample_is_given`: the first input's shape after the batch will be replaced.
std::set<std::string> open_sizes(const Graph& graph, bool sample_is_given = false);

}  // namespace plimsoll
