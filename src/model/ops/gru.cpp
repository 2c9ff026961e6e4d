// gru: gated recurrent units. Gates in ONNX's order: update z, reset r, hidden. With
// linear_before_reset the reset gate acts on R·h instead of on h. See recurrent.h for sizes and cost.
#include "model/ops/recurrent_gradient.h"

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

bool resets_product(const OpCall& call) { return call.attributes.integer("linear_before_reset", 0) != 0; }

bool reference_gru(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Recurrent layer = *layer_of(call);
  const bool linear_before_reset = resets_product(call);
  run_recurrent(layer, in, out, [&](Cell& cell) { step_gru(cell, linear_before_reset); });
  return true;
}

// h' = (1 - z) · candidate + z · h: dh becomes the candidate's, then the gates', then h's own.
void back_gru(CellBack& now, bool linear_before_reset) {
  const Cell& cell = now.cell;
  const auto hidden = size_t(cell.layer.hidden);
  const auto before = [&](int64_t gate, size_t j) {
    return cell.from_input(gate, int64_t(j)) + cell.product(gate, int64_t(j), cell.h);
  };
  std::vector<double> reset(hidden), kept(hidden), dh(hidden), dkept(hidden), dreset(hidden);
  for (size_t j = 0; j < hidden; ++j) {
    reset[j] = cell.activate(0, before(1, j));
    kept[j] = reset[j] * cell.h[j];
  }
  for (size_t j = 0; j < hidden; ++j) {
    const auto row = int64_t(j);
    const double update = cell.activate(0, before(0, j));
    const double product = cell.product(2, row, linear_before_reset ? cell.h : kept);
    const double x = cell.from_input(2, row) + (linear_before_reset ? reset[j] * product : product);
    const double candidate = now.dh[j] * (1 - update) * cell.slope(1, x);
    now.input_slope(2, row) = candidate;
    now.state_slope(2, row) = linear_before_reset ? candidate * reset[j] : candidate;
    dreset[j] = candidate * product;
    now.input_slope(0, row) = now.state_slope(0, row) =
        now.dh[j] * (cell.h[j] - cell.activate(1, x)) * cell.slope(0, before(0, j));
    dh[j] = now.dh[j] * update;
  }
  now.through(2, linear_before_reset ? dh : dkept);
  for (size_t j = 0; j < hidden; ++j) {
    if (!linear_before_reset) dreset[j] = dkept[j] * cell.h[j];
    dh[j] += dkept[j] * reset[j];
    now.input_slope(1, int64_t(j)) = now.state_slope(1, int64_t(j)) = dreset[j] * cell.slope(0, before(1, j));
  }
  now.through(0, dh);
  now.through(1, dh);
  now.dh = dh;
  if (!linear_before_reset) now.kept = kept;
}

Result<std::vector<TensorType>> infer_gru_grad(const OpCall& call) {
  const OpCall forward = recurrent_forward(call);
  PLIM_ASSIGN(const Recurrent layer, layer_of(forward));
  return infer_recurrent_grad(call, layer);
}

bool reference_gru_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const bool linear = resets_product(call);
  run_recurrent_back(
      *layer_of(recurrent_forward(call)), in, out, [&](Cell& cell) { step_gru(cell, linear); },
      [&](CellBack& now) { back_gru(now, linear); });
  return true;
}

const Op& gru_grad() {
  static const Op op{.name = "gru_grad",
                     .onnx = {},
                     .roles = "xxxxwwwcxxw",
                     .required_inputs = 0,
                     .infer = infer_gru_grad,
                     .cost = [](const OpCall& call) { return recurrent_grad_cost(*layer_of(recurrent_forward(call))); },
                     .reference = reference_gru_grad};
  return op;
}

void gradient_gru(Backward& backward) { emit_recurrent_grad(backward, gru_grad()); }

std::vector<OpExample> examples_gru() {
  using example::f32;
  return {{"forward", {{"hidden_size", int64_t{4}}}, {f32({3, 2, 5}), f32({1, 12, 5}), f32({1, 12, 4})}, 2},
          {"reverse, linear before reset",
           {{"direction", std::string("reverse")}, {"linear_before_reset", int64_t{1}}},
           {f32({3, 2, 5}), f32({1, 12, 5}), f32({1, 12, 4}), f32({1, 24})}},
          {"of two lengths, from a state",
           {{"layout", int64_t{1}}},
           {f32({2, 3, 2}), f32({1, 9, 2}), f32({1, 9, 3}), f32({1, 18}), example::ints({1, 3}), f32({2, 1, 3})},
           2,
           false}};
}

}  // namespace

const Op& gru_op() {
  static const Op op{.name = "gru",
                     .starts = "ggg0",
                     .onnx = {"GRU"},
                     .roles = "xwwwcx",
                     .required_inputs = 3,
                     .infer = infer_gru,
                     .cost = cost_gru,
                     .reference = reference_gru,
                     .gradient = gradient_gru,
                     .examples = examples_gru};
  return op;
}

}  // namespace plimsoll
