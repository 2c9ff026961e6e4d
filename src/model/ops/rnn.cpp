// rnn: the plain recurrent layer, h' = f(W·x + R·h + bias). See recurrent.h for sizes and cost.
#include "model/ops/recurrent.h"

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
  run_recurrent(call, layer, in, out, step_rnn);
  return true;
}

std::vector<OpExample> examples_rnn() {
  using example::f32;
  return {{"forward", {{"hidden_size", int64_t{4}}}, {f32({3, 2, 5}), f32({1, 4, 5}), f32({1, 4, 4})}, 2},
          {"bidirectional with bias, batch first",
           {{"direction", std::string("bidirectional")}, {"layout", int64_t{1}}},
           {f32({2, 3, 5}), f32({2, 4, 5}), f32({2, 4, 4}), f32({2, 8})}}};
}

}  // namespace

const Op& rnn_op() {
  static const Op op{.name = "rnn",
                     .onnx = {"RNN"},
                     .roles = "xwwwcx",
                     .required_inputs = 3,
                     .infer = infer_rnn,
                     .cost = cost_rnn,
                     .reference = reference_rnn,
                     .examples = examples_rnn};
  return op;
}

}  // namespace plimsoll
