// rnn: the plain recurrent layer, h' = f(W·x + R·h + bias). See recurrent.h for sizes and cost.
#include "model/ops/recurrent_gradient.h"

namespace plimsoll {
namespace {

Result<Recurrent> layer_of(const OpCall& call) { return recurrent(call, 1, {"Tanh"}); }

Result<std::vector<TensorType>> infer_rnn(const OpCall& call) {
  PLIM_ASSIGN(Recurrent layer, layer_of(call));
  return recurrent_types(call, layer, 2);
}

Cost cost_rnn(const OpCall& call) { return recurrent_cost(*layer_of(call)); }

void step_rnn(Cell& cell) {
  const auto before = cell.h;
  for (int64_t j = 0; j < cell.layer.hidden; ++j)
    cell.h[size_t(j)] = cell.activate(0, cell.from_input(0, j) + cell.product(0, j, before));
}

bool reference_rnn(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Recurrent layer = *layer_of(call);
  run_recurrent(layer, in, out, step_rnn);
  return true;
}

void back_rnn(CellBack& now) {
  const Cell& cell = now.cell;
  for (int64_t j = 0; j < cell.layer.hidden; ++j) {
    const double slope = cell.slope(0, cell.from_input(0, j) + cell.product(0, j, cell.h));
    now.input_slope(0, j) = now.state_slope(0, j) = now.dh[size_t(j)] * slope;
  }
  now.dh.assign(now.dh.size(), 0);
  now.through(0, now.dh);
}

Result<std::vector<TensorType>> infer_rnn_grad(const OpCall& call) {
  const OpCall forward = recurrent_forward(call);
  PLIM_ASSIGN(const Recurrent layer, layer_of(forward));
  return infer_recurrent_grad(call, layer);
}

bool reference_rnn_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  run_recurrent_back(*layer_of(recurrent_forward(call)), in, out, step_rnn, back_rnn);
  return true;
}

const Op& rnn_grad() {
  static const Op op{.name = "rnn_grad",
                     .onnx = {},
                     .roles = "xxxxwwwcxxw",
                     .required_inputs = 0,
                     .infer = infer_rnn_grad,
                     .cost = [](const OpCall& call) { return recurrent_grad_cost(*layer_of(recurrent_forward(call))); },
                     .reference = reference_rnn_grad};
  return op;
}

void gradient_rnn(Backward& backward) { emit_recurrent_grad(backward, rnn_grad()); }

std::vector<OpExample> examples_rnn() {
  using example::f32;
  return {{"forward", {{"hidden_size", int64_t{4}}}, {f32({3, 2, 5}), f32({1, 4, 5}), f32({1, 4, 4})}, 2},
          {"bidirectional with bias, batch first",
           {{"direction", std::string("bidirectional")}, {"layout", int64_t{1}}},
           {f32({2, 3, 5}), f32({2, 4, 5}), f32({2, 4, 4}), f32({2, 8})}},
          {"of two lengths, clipped, from a state",
           {{"layout", int64_t{1}}, {"clip", 0.8}, {"activations", std::vector<std::string>{"Softsign"}}},
           {f32({2, 3, 2}), f32({1, 3, 2}), f32({1, 3, 3}), f32({1, 6}), example::ints({3, 1}), f32({2, 1, 3})},
           2,
           false}};
}

}  // namespace

const Op& rnn_op() {
  static const Op op{.name = "rnn",
                     .starts = "ggg0",
                     .onnx = {"RNN"},
                     .roles = "xwwwcx",
                     .required_inputs = 3,
                     .infer = infer_rnn,
                     .cost = cost_rnn,
                     .reference = reference_rnn,
                     .gradient = gradient_rnn,
                     .examples = examples_rnn};
  return op;
}

}  // namespace plimsoll
