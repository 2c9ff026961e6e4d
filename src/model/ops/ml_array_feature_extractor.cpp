// ml_array_feature_extractor: the features of the last axis that input 1 lists; of a vector, one row of them.
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_ml_array_feature_extractor(const OpCall& call) {
  Shape shape = call.shape(0);
  if (shape.rank() < 1) return user_error("the input is a scalar, expected at least a vector");
  const int64_t listed = call.type(1).elements().value();
  if (shape.rank() == 1) return std::vector{TensorType{call.dtype(0), {1, listed}}};
  shape[shape.rank() - 1] = listed;
  return std::vector{TensorType{call.dtype(0), shape}};
}

std::vector<OpExample> examples_ml_array_feature_extractor() {
  return {{"two of four", {}, {example::f32({3, 4}), {{DType::i64, {2}}}}, 1, true, false}};
}

Op array_feature_extractor() {
  Op op = ml_op("ml_array_feature_extractor", {"ai.onnx.ml:ArrayFeatureExtractor"}, infer_ml_array_feature_extractor,
                nullptr, examples_ml_array_feature_extractor);
  op.kind = OpKind::movement;
  op.roles = "xc";
  op.required_inputs = 2;
  return op;
}

}  // namespace

const Op& ml_array_feature_extractor_op() {
  static const Op op = array_feature_extractor();
  return op;
}

}  // namespace plimsoll
