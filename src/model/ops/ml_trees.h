// What ensembles of decision trees share.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

// A comparison for each level of each tree and one addition a tree, for every row. A tree of n nodes is taken to be
// balanced: log2(n + 1) levels.
Cost cost_of_trees(const OpCall& call);

}  // namespace plimsoll
