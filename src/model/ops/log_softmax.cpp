// log_softmax: x - log Σ e^x along one axis (axis_slices.h).
// Cost: 5 an element: largest, difference, exponential, sum, difference.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/exponentials.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

bool reference_log_softmax(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  return by_exponentials(call, in, out,
                         [](double x, double largest, double sum) { return x - largest - std::log(sum); });
}

// dx = dy - e^y · Σ dy: 4 an element (sum, exponential, product, difference).
bool reference_log_softmax_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const AxisSlices slices = *axis_slices(call);
  const auto y = read_doubles(in[1]);
  auto dx = read_doubles(in[0]);
  for_slices(slices, [&](const auto& at) {
    double sum = 0;
    for (int64_t i = 0; i < slices.length; ++i) sum += dx[at(i)];
    for (int64_t i = 0; i < slices.length; ++i) dx[at(i)] -= std::exp(y[at(i)]) * sum;
  });
  write_doubles(out, 0, dx);
  return true;
}

const Op& log_softmax_grad() {
  static const Op op{.name = "log_softmax_grad",
                     .kind = OpKind::softmax,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = infer_by_slice,
                     .cost = elementwise_cost<4>,
                     .reference = reference_log_softmax_grad,
                     .elementwise = true};
  return op;
}

void gradient_log_softmax(Backward& backward) {
  backward.set(0, backward.emit(log_softmax_grad(), {backward.gradient(), backward.output(0)}, backward.attributes()));
}

}  // namespace

const Op& log_softmax_op() {
  static const Op op{.name = "log_softmax",
                     .kind = OpKind::softmax,
                     .scores = ClassScores::log_probabilities,
                     .onnx = {"LogSoftmax"},
                     .infer = infer_by_slice,
                     .cost = elementwise_cost<5>,
                     .reference = reference_log_softmax,
                     .gradient = gradient_log_softmax,
                     .examples = slice_examples};
  return op;
}

}  // namespace plimsoll
