// ml_binarizer: 1 above a threshold, else 0. Cost: one comparison an element.
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

std::vector<OpExample> examples_ml_binarizer() {
  return {{"rows", {{"threshold", 0.5}}, {example::f32({3, 4})}, 1, true, false}};
}

}  // namespace

const Op& ml_binarizer_op() {
  static const Op op =
      ml_op("ml_binarizer", {"ai.onnx.ml:Binarizer"}, same_type, elementwise_cost<1>, examples_ml_binarizer);
  return op;
}

}  // namespace plimsoll
