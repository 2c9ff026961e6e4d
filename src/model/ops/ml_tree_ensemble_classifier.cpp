// ml_tree_ensemble_classifier: many decision trees: the label of the class with the highest sum, and all sums. Cost:
// ml_trees.h.
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"
#include "model/ops/ml_trees.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_ml_tree_ensemble_classifier(const OpCall& call) {
  return ml_classified(call, ml_class_count(call.attributes, 2));
}

std::vector<OpExample> examples_ml_tree_ensemble_classifier() {
  return {{"one tree",
           {{"nodes_treeids", example::Ints{0, 0, 0}}, {"classlabels_int64s", example::Ints{0, 1}}},
           {example::f32({3, 4})},
           2,
           true,
           false}};
}

}  // namespace

const Op& ml_tree_ensemble_classifier_op() {
  static const Op op = ml_op("ml_tree_ensemble_classifier", {"ai.onnx.ml:TreeEnsembleClassifier"},
                             infer_ml_tree_ensemble_classifier, cost_of_trees, examples_ml_tree_ensemble_classifier);
  return op;
}

}  // namespace plimsoll
