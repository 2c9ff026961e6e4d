// gru: gated recurrent units. Gates in ONNX's order: update z, reset r, hidden. With
// linear_before_reset the reset gate acts on R·h instead of on h. See recurrent.h for sizes and cost.
#include "model/ops/recurrent.h"

namespace plimsoll {
namespace {

Result<Recurrent> layer_of(const OpCall& call) { return recurrent(call, 3, {"Sigmoid", "Tanh"}); }

Result<std::vector<TensorType>> infer_gru(const OpCall& call) {
  PLIM_ASSIGN(Recurrent layer, layer_of(call));
  return recurrent_types(call, layer, 2);
}

Cost cost_gru(const OpCall& call) { return recurrent_cost(*layer_of(call)); }

void step_gru(Cell& cell, bool linear_before_reset) {
  const auto before = cell.h;
  const auto hidden = size_t(cell.layer.hidden);
  std::vector<double> update(hidden), reset(hidden), kept(hidden);
  for (size_t j = 0; j < hidden; ++j) {
    update[j] = cell.activate(0, cell.from_input(0, int64_t(j)) + cell.product(0, int64_t(j), before));
    reset[j] = cell.activate(0, cell.from_input(1, int64_t(j)) + cell.product(1, int64_t(j), before));
    kept[j] = reset[j] * before[j];
  }
  for (size_t j = 0; j < hidden; ++j) {
    const double recurrent =
        linear_before_reset ? reset[j] * cell.product(2, int64_t(j), before) : cell.product(2, int64_t(j), kept);
    const double candidate = cell.activate(1, cell.from_input(2, int64_t(j)) + recurrent);
    cell.h[j] = (1 - update[j]) * candidate + update[j] * before[j];
  }
}

bool reference_gru(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Recurrent layer = *layer_of(call);
  const bool linear_before_reset = call.attributes.integer("linear_before_reset", 0) != 0;
  run_recurrent(call, layer, in, out, [&](Cell& cell) { step_gru(cell, linear_before_reset); });
  return true;
}

std::vector<OpExample> examples_gru() {
  using example::f32;
  return {{"forward", {{"hidden_size", int64_t{4}}}, {f32({3, 2, 5}), f32({1, 12, 5}), f32({1, 12, 4})}, 2},
          {"reverse, linear before reset",
           {{"direction", std::string("reverse")}, {"linear_before_reset", int64_t{1}}},
           {f32({3, 2, 5}), f32({1, 12, 5}), f32({1, 12, 4}), f32({1, 24})}}};
}

}  // namespace

const Op& gru_op() {
  static const Op op{.name = "gru",
                     .onnx = {"GRU"},
                     .roles = "xwwwcx",
                     .required_inputs = 3,
                     .infer = infer_gru,
                     .cost = cost_gru,
                     .reference = reference_gru,
                     .examples = examples_gru};
  return op;
}

}  // namespace plimsoll
