// softmax_cross_entropy: minus the log of the softmax probability of each sample's label; the log
// probabilities of all classes on request.
// Cost: 5 a score (log_softmax) and 2 a label (weight and sum).
#include <cmath>
#include <limits>

#include "model/ops/axis_slices.h"
#include "model/ops/class_loss.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_softmax_cross_entropy(const OpCall& call) {
  PLIM_ASSIGN(TensorType loss, class_loss_type(call));
  std::vector<TensorType> outputs{loss};
  if (call.output_count() > 1) outputs.push_back(call.type(0));
  return outputs;
}

Cost cost_softmax_cross_entropy(const OpCall& call) {
  return {{}, as<Flops>(call.type(0).elements() * 5 + call.type(1).elements() * 2)};
}

bool reference_softmax_cross_entropy(const OpCall& call, std::span<const TensorView> in,
                                     std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape& shape = in[0].shape();
  const AxisSlices slices{shape[0], shape[1], shape.elements(2, shape.rank()).value()};
  auto y = read_doubles(in[0]);
  if (!y.empty())
    for_slices(slices, [&](const auto& at) {
      double largest = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int64_t i = 0; i < slices.length; ++i) largest = std::max(largest, y[at(i)]);
      for (int64_t i = 0; i < slices.length; ++i) sum += std::exp(y[at(i)] - largest);
      for (int64_t i = 0; i < slices.length; ++i) y[at(i)] -= largest + std::log(sum);
    });
  write_doubles(out, 0, class_loss(call, in, y));
  write_doubles(out, 1, y);
  return true;
}

std::vector<OpExample> examples_softmax_cross_entropy() { return class_loss_examples(2); }

}  // namespace

const Op& softmax_cross_entropy_op() {
  static const Op op{.name = "softmax_cross_entropy",
                     .onnx = {"SoftmaxCrossEntropyLoss"},
                     .roles = "xxb",
                     .required_inputs = 2,
                     .infer = infer_softmax_cross_entropy,
                     .cost = cost_softmax_cross_entropy,
                     .reference = reference_softmax_cross_entropy,
                     .examples = examples_softmax_cross_entropy};
  return op;
}

}  // namespace plimsoll
