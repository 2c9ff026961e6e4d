// ml_svm_classifier: support vector machine: the label of the class that most of its comparisons vote for, and the
// scores. Cost: products with the support vectors and the sums of their weights; kernels are not counted beside them.
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

// Each row against every support vector, and the weighted sum of what comes out.
Cost cost_ml_svm_classifier(const OpCall& call) {
  const MlRows rows = *ml_rows(call);
  const Count numbers(int64_t(call.attributes.numbers("support_vectors").size()));
  const Count weights(int64_t(call.attributes.numbers("coefficients").size()));
  const Count macs = (numbers + weights) * rows.rows;
  return {as<Macs>(macs), as<Flops>(macs * 2)};
}

Result<std::vector<TensorType>> infer_ml_svm_classifier(const OpCall& call) {
  return ml_classified(call, ml_class_count(call.attributes, 2));
}

std::vector<OpExample> examples_ml_svm_classifier() {
  return {{"two vectors",
           {{"support_vectors", std::vector<double>(8, 1)},
            {"coefficients", std::vector<double>(2, 1)},
            {"classlabels_ints", example::Ints{0, 1}}},
           {example::f32({3, 4})},
           2,
           true,
           false}};
}

}  // namespace

const Op& ml_svm_classifier_op() {
  static const Op op = ml_op("ml_svm_classifier", {"ai.onnx.ml:SVMClassifier"}, infer_ml_svm_classifier,
                             cost_ml_svm_classifier, examples_ml_svm_classifier);
  return op;
}

}  // namespace plimsoll
