// log_softmax: x - log Σ e^x along one axis (axis_slices.h).
// Cost: 5 an element: largest, difference, exponential, sum, difference.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/exponentials.h"

namespace plimsoll {
namespace {

bool reference_log_softmax(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  return by_exponentials(call, in, out,
                         [](double x, double largest, double sum) { return x - largest - std::log(sum); });
}

}  // namespace

const Op& log_softmax_op() {
  static const Op op{.name = "log_softmax",
                     .onnx = {"LogSoftmax"},
                     .infer = infer_by_slice,
                     .cost = elementwise_cost<5>,
                     .reference = reference_log_softmax,
                     .examples = slice_examples};
  return op;
}

}  // namespace plimsoll
