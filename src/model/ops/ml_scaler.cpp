// ml_scaler: features less an offset, times a scale. Cost: 2 an element.
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/ml_classes.h"

namespace plimsoll {
namespace {

std::vector<OpExample> examples_ml_scaler() {
  return {{"rows",
           {{"offset", std::vector<double>{1}}, {"scale", std::vector<double>{2}}},
           {example::f32({3, 4})},
           1,
           true,
           false}};
}

}  // namespace

const Op& ml_scaler_op() {
  static const Op op =
      ml_op("ml_scaler", {"ai.onnx.ml:Scaler"}, ml_same_shape, elementwise_cost<2>, examples_ml_scaler);
  return op;
}

}  // namespace plimsoll
