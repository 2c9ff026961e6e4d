// log_softmax: x - log Σ e^x along one axis (axis_slices.h).
// Cost: 5 an element: largest, difference, exponential, sum, difference.
#include <cmath>
#include <limits>

#include "model/ops/axis_slices.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

bool reference_log_softmax(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const AxisSlices slices = *axis_slices(call);
  const auto x = read_doubles(in[0]);
  std::vector<double> y(x.size());
  for_slices(slices, [&](const auto& at) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < slices.length; ++i) largest = std::max(largest, x[at(i)]);
    for (int64_t i = 0; i < slices.length; ++i) sum += std::exp(x[at(i)] - largest);
    for (int64_t i = 0; i < slices.length; ++i) y[at(i)] = x[at(i)] - largest - std::log(sum);
  });
  write_doubles(out, 0, y);
  return true;
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
