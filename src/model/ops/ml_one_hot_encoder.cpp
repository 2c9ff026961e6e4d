// ml_one_hot_encoder: a row of zeros with a 1 at the place of each category.
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_ml_one_hot_encoder(const OpCall& call) {
  auto categories = int64_t(call.attributes.integers("cats_int64s").size());
  if (const auto* names = call.attributes.find("cats_strings"))
    if (const auto* texts = std::get_if<std::vector<std::string>>(names)) categories += int64_t(texts->size());
  Shape shape = call.shape(0);
  shape.push_back(categories);
  return std::vector{TensorType{DType::f32, shape}};
}

std::vector<OpExample> examples_ml_one_hot_encoder() {
  return {{"three", {{"cats_int64s", example::Ints{1, 2, 3}}}, {example::i64({4})}, 1, true, false}};
}

}  // namespace

const Op& ml_one_hot_encoder_op() {
  static const Op op = ml_op("ml_one_hot_encoder", {"ai.onnx.ml:OneHotEncoder"}, infer_ml_one_hot_encoder, nullptr,
                             examples_ml_one_hot_encoder);
  return op;
}

}  // namespace plimsoll
