// nll_loss: minus the log probability of each sample's label (class_loss.h).
// Cost: 2 a label (weight and sum).
#include "model/ops/class_loss.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_nll_loss(const OpCall& call) {
  PLIM_ASSIGN(TensorType loss, class_loss_type(call));
  return std::vector{loss};
}

Cost cost_nll_loss(const OpCall& call) { return {{}, as<Flops>(call.type(1).elements() * 2)}; }

bool reference_nll_loss(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  write_doubles(out, 0, class_loss(call, in, read_doubles(in[0])));
  return true;
}

// dloss, labels (, weights) → dx: minus the label's weight · dloss at the label, for the mean divided by the sum of
// weights; 0 elsewhere. The attribute "input_shape" is the scores'.
bool reference_nll_loss_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape& shape = out[0].shape();
  const int64_t classes = shape[1], plane = shape.elements(2, shape.rank()).value();
  const auto dloss = read_doubles(in[0]), labels = read_doubles(in[1]);
  const auto weights = label_weights(call.attributes, classes, labels, read_doubles(in, 2));
  const LossReduction reduction = *reduction_of(call.attributes);
  double total = 0;
  for (const double weight : weights) total += weight;
  std::vector<double> dx(size_t(out[0].size()));
  for (size_t i = 0; i < labels.size(); ++i) {
    if (weights[i] == 0) continue;
    const int64_t sample = int64_t(i) / plane, place = int64_t(i) % plane;
    dx[size_t((sample * classes + int64_t(labels[i])) * plane + place)] =
        -weights[i] * dloss[reduction == LossReduction::none ? i : 0] / (reduction == LossReduction::mean ? total : 1);
  }
  write_doubles(out, 0, dx);
  return true;
}

const Op& nll_loss_grad() {
  static const Op op{.name = "nll_loss_grad",
                     .kind = OpKind::loss,
                     .onnx = {},
                     .roles = "xxb",
                     .required_inputs = 2,
                     .infer = infer_moved_back,
                     .cost = cost_nll_loss,
                     .reference = reference_nll_loss_grad};
  return op;
}

void gradient_nll_loss(Backward& backward) {
  if (backward.wants(0))
    backward.set(0, backward.emit(nll_loss_grad(), {backward.gradient(), backward.input(1), backward.input(2)},
                                  with(backward.attributes(), "input_shape", sizes_of(backward.call().shape(0)))));
}

std::vector<OpExample> examples_nll_loss() { return class_loss_examples(1); }

}  // namespace

const Op& nll_loss_op() {
  static const Op op{.name = "nll_loss",
                     .kind = OpKind::loss,
                     .onnx = {"NegativeLogLikelihoodLoss"},
                     .roles = "xxb",
                     .required_inputs = 2,
                     .infer = infer_nll_loss,
                     .cost = cost_nll_loss,
                     .reference = reference_nll_loss,
                     .gradient = gradient_nll_loss,
                     .examples = examples_nll_loss};
  return op;
}

}  // namespace plimsoll
