// ml_label_encoder: each label replaced by another, by a list of pairs; which attribute holds the new ones tells their
// type.
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_ml_label_encoder(const OpCall& call) {
  DType type = call.dtype(0) == DType::string ? DType::i64 : DType::string;
  if (call.attributes.has("values_floats")) type = DType::f32;
  if (call.attributes.has("values_int64s")) type = DType::i64;
  if (call.attributes.has("values_strings")) type = DType::string;
  if (const auto values = call.attributes.tensor("values_tensor")) type = values->type.dtype;
  return std::vector{TensorType{type, call.shape(0)}};
}

std::vector<OpExample> examples_ml_label_encoder() {
  return {{"to numbers", {{"values_floats", std::vector<double>{1}}}, {example::i64({3})}, 1, true, false}};
}

}  // namespace

const Op& ml_label_encoder_op() {
  static const Op op = ml_op("ml_label_encoder", {"ai.onnx.ml:LabelEncoder"}, infer_ml_label_encoder, nullptr,
                             examples_ml_label_encoder);
  return op;
}

}  // namespace plimsoll
