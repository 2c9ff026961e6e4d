#include "model/ops/ml_trees.h"

#include <cmath>
#include <map>

#include "model/ops/ml_classes.h"

namespace plimsoll {

Cost cost_of_trees(const OpCall& call) {
  std::map<int64_t, int64_t> nodes;  // of each tree
  for (const int64_t tree : call.attributes.integers("nodes_treeids")) ++nodes[tree];
  if (const auto roots = call.attributes.integers("tree_roots"); !roots.empty()) {
    const auto all = int64_t(call.attributes.integers("nodes_featureids").size());
    for (size_t i = 0; i < roots.size(); ++i) nodes[int64_t(i)] = 1 + 2 * all / int64_t(roots.size());
  }
  int64_t steps = 0;
  for (const auto& [tree, count] : nodes) steps += 1 + int64_t(std::ceil(std::log2(double(count) + 1)));
  return {{}, as<Flops>(Count(ml_rows(call)->rows) * steps)};
}

}  // namespace plimsoll
