// ml_feature_vectorizer: features of several inputs in one row, f32.
#include <fmt/format.h>

#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_ml_feature_vectorizer(const OpCall& call) {
  PLIM_ASSIGN(const MlRows first, ml_rows(call));
  Count features;
  for (size_t i = 0; i < call.input_count(); ++i) {
    if (!call.has(i) || call.shape(i).rank() < 1 || call.shape(i).rank() > 2)
      return user_error(fmt::format("input {} is not rows of features", i));
    features += Count(call.shape(i)[call.shape(i).rank() - 1]);
  }
  return std::vector{TensorType{DType::f32, {first.rows, features.value()}}};
}

std::vector<OpExample> examples_ml_feature_vectorizer() {
  return {{"two inputs", {}, {example::f32({3, 4}), example::f32({3, 2})}, 1, true, false}};
}

}  // namespace

const Op& ml_feature_vectorizer_op() {
  static const Op op = ml_op("ml_feature_vectorizer", {"ai.onnx.ml:FeatureVectorizer"}, infer_ml_feature_vectorizer,
                             nullptr, examples_ml_feature_vectorizer);
  return op;
}

}  // namespace plimsoll
