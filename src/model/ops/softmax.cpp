// softmax: e^x / Σ e^x along one axis (axis_slices.h).
// Cost: 5 an element: largest, difference, exponential, sum, division.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/exponentials.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

bool reference_softmax(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  return by_exponentials(call, in, out,
                         [](double x, double largest, double sum) { return std::exp(x - largest) / sum; });
}

bool reference_softmax_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const AxisSlices slices = *axis_slices(call);
  const auto y = read_doubles(in[1]);
  auto dx = read_doubles(in[0]);
  for_slices(slices, [&](const auto& at) {
    double along = 0;
    for (int64_t i = 0; i < slices.length; ++i) along += dx[at(i)] * y[at(i)];
    for (int64_t i = 0; i < slices.length; ++i) dx[at(i)] = (dx[at(i)] - along) * y[at(i)];
  });
  write_doubles(out, 0, dx);
  return true;
}

const Op& softmax_grad() {
  static const Op op{.name = "softmax_grad",
                     .kind = OpKind::softmax,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = infer_by_slice,
                     .cost = elementwise_cost<4>,
                     .reference = reference_softmax_grad,
                     .elementwise = true};
  return op;
}

void gradient_softmax(Backward& backward) {
  backward.set(0, backward.emit(softmax_grad(), {backward.gradient(), backward.output(0)}, backward.attributes()));
}

}  // namespace

const Op& softmax_op() {
  static const Op op{.name = "softmax",
                     .kind = OpKind::softmax,
                     .scores = ClassScores::probabilities,
                     .onnx = {"Softmax"},
                     .infer = infer_by_slice,
                     .cost = elementwise_cost<5>,
                     .reference = reference_softmax,
                     .gradient = gradient_softmax,
                     .examples = slice_examples};
  return op;
}

}  // namespace plimsoll
