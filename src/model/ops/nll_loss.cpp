// nll_loss: minus the log probability of each sample's label (class_loss.h).
// Cost: 2 a label (weight and sum).
#include "model/ops/class_loss.h"

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

std::vector<OpExample> examples_nll_loss() { return class_loss_examples(1); }

}  // namespace

const Op& nll_loss_op() {
  static const Op op{.name = "nll_loss",
                     .onnx = {"NegativeLogLikelihoodLoss"},
                     .roles = "xxb",
                     .required_inputs = 2,
                     .infer = infer_nll_loss,
                     .cost = cost_nll_loss,
                     .reference = reference_nll_loss,
                     .examples = examples_nll_loss};
  return op;
}

}  // namespace plimsoll
