// ml_imputer: numbers that are missing replaced by others. Cost: one comparison an element.
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

std::vector<OpExample> examples_ml_imputer() { return {{"rows", {}, {example::f32({3, 4})}, 1, true, false}}; }

}  // namespace

const Op& ml_imputer_op() {
  static const Op op = ml_op("ml_imputer", {"ai.onnx.ml:Imputer"}, same_type, elementwise_cost<1>, examples_ml_imputer);
  return op;
}

}  // namespace plimsoll
