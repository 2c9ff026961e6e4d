// ml_linear_classifier: rows of features times coefficients, one row of them a class; the label of the highest score,
// and all scores. Cost: the product.
#include "model/ops/example.h"
#include "model/ops/matrix_product.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

// Rows of coefficients: one a class or target.
int64_t outputs_of(const OpCall& call) {
  const auto rows = ml_rows(call);
  const int64_t features = rows.ok() ? rows->features : 0;
  const auto coefficients = int64_t(call.attributes.numbers("coefficients").size());
  return features > 0 ? std::max<int64_t>(1, coefficients / features) : 1;
}

Cost cost_ml_linear_classifier(const OpCall& call) {
  const MlRows rows = *ml_rows(call);
  return product_cost(Count(rows.rows) * outputs_of(call), rows.features);
}

Result<std::vector<TensorType>> infer_ml_linear_classifier(const OpCall& call) {
  return ml_classified(call, ml_class_count(call.attributes, outputs_of(call)));
}

std::vector<OpExample> examples_ml_linear_classifier() {
  return {{"two classes",
           {{"coefficients", std::vector<double>(8, 1)}, {"classlabels_ints", example::Ints{0, 1}}},
           {example::f32({3, 4})},
           2,
           true,
           false}};
}

}  // namespace

const Op& ml_linear_classifier_op() {
  static const Op op = ml_op("ml_linear_classifier", {"ai.onnx.ml:LinearClassifier"}, infer_ml_linear_classifier,
                             cost_ml_linear_classifier, examples_ml_linear_classifier);
  return op;
}

}  // namespace plimsoll
