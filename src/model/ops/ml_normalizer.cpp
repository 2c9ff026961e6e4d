// ml_normalizer: each row divided by its norm. Cost: 3 an element: square, sum, quotient.
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

std::vector<OpExample> examples_ml_normalizer() {
  return {{"rows", {{"norm", std::string("L2")}}, {example::f32({3, 4})}, 1, true, false}};
}

}  // namespace

const Op& ml_normalizer_op() {
  static const Op op =
      ml_op("ml_normalizer", {"ai.onnx.ml:Normalizer"}, ml_same_shape, elementwise_cost<3>, examples_ml_normalizer);
  return op;
}

}  // namespace plimsoll
