// ml_tree_ensemble_regressor: many decision trees: the sums of their targets. Cost: ml_trees.h.
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"
#include "model/ops/ml_trees.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_ml_tree_ensemble_regressor(const OpCall& call) {
  return ml_regressed(call, call.attributes.integer("n_targets", 1));
}

std::vector<OpExample> examples_ml_tree_ensemble_regressor() {
  return {{"one tree",
           {{"nodes_treeids", example::Ints{0, 0, 0}}, {"n_targets", int64_t{1}}},
           {example::f32({3, 4})},
           1,
           true,
           false}};
}

}  // namespace

const Op& ml_tree_ensemble_regressor_op() {
  static const Op op =
      ml_op("ml_tree_ensemble_regressor", {"ai.onnx.ml:TreeEnsembleRegressor", "ai.onnx.ml:TreeEnsemble"},
            infer_ml_tree_ensemble_regressor, cost_of_trees, examples_ml_tree_ensemble_regressor);
  return op;
}

}  // namespace plimsoll
