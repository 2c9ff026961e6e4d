// ml_category_mapper: names to numbers or numbers to names, by a list of pairs.
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_ml_category_mapper(const OpCall& call) {
  return std::vector{TensorType{call.dtype(0) == DType::string ? DType::i64 : DType::string, call.shape(0)}};
}

std::vector<OpExample> examples_ml_category_mapper() { return {{"rows", {}, {example::i64({3, 4})}, 1, true, false}}; }

}  // namespace

const Op& ml_category_mapper_op() {
  static const Op op = ml_op("ml_category_mapper", {"ai.onnx.ml:CategoryMapper"}, infer_ml_category_mapper, nullptr,
                             examples_ml_category_mapper);
  return op;
}

}  // namespace plimsoll
