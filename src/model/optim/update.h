// What the update operations of all optimizers share: shape rule, costs, and reference maths in double made from a
// rule that changes an Update.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

// One parameter tensor at one step. The rule changes `parameter` and `state`; `gradient` is its to spoil.
struct Update {
  const Attributes& settings;
  std::vector<double> parameter, gradient;
  std::vector<std::vector<double>> state;
  double learning_rate = 0, step = 1;

  size_t size() const { return parameter.size(); }
};

double norm(const std::vector<double>& numbers);

// Weight decay as a part of the loss, g += λw: for every number where the setting is not 0.
void add_decay(Update& update);
int64_t decay_flops(const Attributes& settings);

// The moments that Adam and its kin keep: m = β₁m + (1-β₁)g, v = β₂v + (1-β₂)g². Each starts at zero and is biased
// towards it; dividing by the corrections removes that.
struct Corrections {
  double first, second;  // 1 - βᵗ
};
Corrections update_moments(Update& update);

Cost update_cost(const OpCall& call, int64_t flops_per_parameter);

Result<std::vector<TensorType>> infer_update(const OpCall& call, size_t states);
bool run_update(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out, size_t states,
                void (*rule)(Update&));
std::vector<OpExample> update_examples(size_t states);
std::vector<InputUpdate> input_updates(size_t states);

template <size_t states, void (*rule)(Update&)>
Op update_op(std::string_view name, CostRule cost) {
  return {.name = name,
          .kind = OpKind::update,
          .onnx = {},
          .roles = "w",
          .required_inputs = states + 4,
          .infer = [](const OpCall& call) { return infer_update(call, states); },
          .cost = cost,
          .reference = [](const OpCall& call, std::span<const TensorView> in,
                          std::span<const TensorView> out) { return run_update(call, in, out, states, rule); },
          .examples = [] { return update_examples(states); },
          .updates = input_updates(states)};
}

}  // namespace plimsoll
