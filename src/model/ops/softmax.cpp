// softmax: e^x / Σ e^x along one axis (axis_slices.h).
// Cost: 5 an element: largest, difference, exponential, sum, division.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/exponentials.h"

namespace plimsoll {
namespace {

bool reference_softmax(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  return by_exponentials(call, in, out,
                         [](double x, double largest, double sum) { return std::exp(x - largest) / sum; });
}

}  // namespace

const Op& softmax_op() {
  static const Op op{.name = "softmax",
                     .onnx = {"Softmax"},
                     .infer = infer_by_slice,
                     .cost = elementwise_cost<5>,
                     .reference = reference_softmax,
                     .examples = slice_examples};
  return op;
}

}  // namespace plimsoll
