// softmax_cross_entropy: minus the log of the softmax probability of each sample's label; the log
// probabilities of all classes on request.
// Cost: 5 a score (log_softmax) and 2 a label (weight and sum).
#include <cmath>
#include <limits>

#include "model/ops/axis_slices.h"
#include "model/ops/class_loss.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

// With smoothing s a target is 1-s at its label and s spread evenly over all classes. Not ONNX's: our own losses set
// it, and they have no weights of classes.
double smoothing_of(const Attributes& attributes) { return attributes.number("label_smoothing", 0); }

// The log probabilities that the labels are compared with: each mixed with the mean over its classes.
std::vector<double> smoothed(std::vector<double> logs, const AxisSlices& slices, double smoothing) {
  for_slices(slices, [&](const auto& at) {
    double sum = 0;
    for (int64_t i = 0; i < slices.length; ++i) sum += logs[at(i)];
    for (int64_t i = 0; i < slices.length; ++i)
      logs[at(i)] = (1 - smoothing) * logs[at(i)] + smoothing * sum / double(slices.length);
  });
  return logs;
}

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
  const double smoothing = smoothing_of(call.attributes);
  write_doubles(out, 0, class_loss(call, in, smoothing > 0 ? smoothed(y, slices, smoothing) : y));
  write_doubles(out, 1, y);
  return true;
}

std::vector<OpExample> examples_softmax_cross_entropy() {
  auto examples = class_loss_examples(2);
  examples.push_back({"smoothed", {{"label_smoothing", 0.1}}, {example::f32({2, 3}), example::i64({2})}, 2});
  return examples;
}

// dscores = (softmax - target) · the label's weight · dloss, for the mean divided by the sum of weights.
bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape& shape = in[1].shape();
  const int64_t classes = shape[1], plane = shape.elements(2, shape.rank()).value();
  const auto dloss = read_doubles(in[0]), logs = read_doubles(in[1]), labels = read_doubles(in[2]);
  const auto weights = label_weights(call.attributes, classes, labels, read_doubles(in, 3));
  double total = 0;
  for (const double weight : weights) total += weight;
  const bool mean = *reduction_of(call.attributes) == LossReduction::mean;
  const double smoothing = smoothing_of(call.attributes);
  const double elsewhere = smoothing / double(std::max<int64_t>(classes, 1)), at_label = 1 - smoothing + elsewhere;
  std::vector<double> dx(logs.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    if (weights[i] == 0) continue;
    const double factor =
        weights[i] * (dloss.size() == labels.size() && !mean ? dloss[i] : dloss[0]) / (mean ? total : 1);
    for (int64_t c = 0; c < classes; ++c) {
      const auto at = size_t((int64_t(i) / plane * classes + c) * plane + int64_t(i) % plane);
      dx[at] = (std::exp(logs[at]) - (double(c) == labels[i] ? at_label : elsewhere)) * factor;
    }
  }
  write_doubles(out, 0, dx);
  return true;
}

Result<std::vector<TensorType>> infer_grad(const OpCall& call) {
  if (call.shape(1).rank() < 2) return user_error("expected log probabilities of batch, classes …");
  return std::vector{call.type(1)};
}

const Op& softmax_cross_entropy_grad() {
  static const Op op{.name = "softmax_cross_entropy_grad",
                     .kind = OpKind::softmax_loss,
                     .onnx = {},
                     .roles = "xxxb",
                     .required_inputs = 3,
                     .infer = infer_grad,
                     .cost = elementwise_cost<6>,
                     .reference = reference_grad,
                     .elementwise = true};
  return op;
}

void gradient_softmax_cross_entropy(Backward& backward) {
  if (!backward.output(1).present()) return backward.fail("its log probabilities are not kept");
  if (backward.gradient(1).present()) return backward.fail("its log probabilities have no gradient of their own");
  if (backward.wants(0))
    backward.set(0, backward.emit(softmax_cross_entropy_grad(),
                                  {backward.gradient(), backward.output(1), backward.input(1), backward.input(2)},
                                  backward.attributes()));
}

}  // namespace

const Op& softmax_cross_entropy_op() {
  static const Op op{.name = "softmax_cross_entropy",
                     .kind = OpKind::softmax_loss,
                     .onnx = {"SoftmaxCrossEntropyLoss"},
                     .roles = "xxb",
                     .required_inputs = 2,
                     .infer = infer_softmax_cross_entropy,
                     .cost = cost_softmax_cross_entropy,
                     .reference = reference_softmax_cross_entropy,
                     .gradient = gradient_softmax_cross_entropy,
                     .examples = examples_softmax_cross_entropy};
  return op;
}

}  // namespace plimsoll
