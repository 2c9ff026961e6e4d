// lstm: long short-term memory. Gates in ONNX's order: input i, output o, forget f, cell. Peepholes P
// (i, o, f) let the gates see the cell; input_forget makes f = 1 - i. See recurrent.h for sizes and cost.
#include <fmt/format.h>

#include "model/ops/recurrent_gradient.h"

namespace plimsoll {
namespace {

Result<Recurrent> layer_of(const OpCall& call) { return recurrent(call, 4, {"Sigmoid", "Tanh", "Tanh"}); }

Result<std::vector<TensorType>> infer_lstm(const OpCall& call) {
  PLIM_ASSIGN(Recurrent layer, layer_of(call));
  if (call.has(6) && call.shape(6) != layer.state())
    return user_error(
        fmt::format("initial_c has the shape {}, expected {}", call.shape(6).text(), layer.state().text()));
  const Shape peepholes{layer.directions, 3 * layer.hidden};
  if (call.has(7) && call.shape(7) != peepholes)
    return user_error(fmt::format("P has the shape {}, expected {}", call.shape(7).text(), peepholes.text()));
  return recurrent_types(call, layer, 3);
}

Cost cost_lstm(const OpCall& call) { return recurrent_cost(*layer_of(call)); }

void step_lstm(Cell& cell, const std::vector<double>& peepholes, bool input_forget) {
  const auto before = cell.h;
  const int64_t hidden = cell.layer.hidden;
  const auto gate = [&](int64_t g, int64_t j) { return cell.from_input(g, j) + cell.product(g, j, before); };
  const auto peep = [&](int64_t p, int64_t j) {
    return peepholes.empty() ? 0 : peepholes[size_t((cell.direction * 3 + p) * hidden + j)] * cell.c[size_t(j)];
  };
  for (int64_t j = 0; j < hidden; ++j) {
    const double i = cell.activate(0, gate(0, j) + peep(0, j));
    const double f = input_forget ? 1 - i : cell.activate(0, gate(2, j) + peep(2, j));
    cell.c[size_t(j)] = f * cell.c[size_t(j)] + i * cell.activate(1, gate(3, j));
    const double o = cell.activate(0, gate(1, j) + peep(1, j));
    cell.h[size_t(j)] = o * cell.activate(2, cell.c[size_t(j)]);
  }
}

bool couples(const OpCall& call) { return call.attributes.integer("input_forget", 0) != 0; }

bool reference_lstm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Recurrent layer = *layer_of(call);
  const auto peepholes = read_doubles(in, 7);
  const bool input_forget = couples(call);
  run_recurrent(layer, in, out, [&](Cell& cell) { step_lstm(cell, peepholes, input_forget); });
  return true;
}

void back_lstm(CellBack& now, const std::vector<double>& peepholes, bool input_forget) {
  const Cell& cell = now.cell;
  const int64_t hidden = cell.layer.hidden;
  const auto gate = [&](int64_t g, int64_t j) { return cell.from_input(g, j) + cell.product(g, j, cell.h); };
  const auto peep = [&](int64_t p, int64_t j) {
    return peepholes.empty() ? 0 : peepholes[size_t((cell.direction * 3 + p) * hidden + j)];
  };
  for (int64_t j = 0; j < hidden; ++j) {
    const double dh = now.dh[size_t(j)], c = cell.c[size_t(j)];
    const double at_i = gate(0, j) + peep(0, j) * c, at_f = gate(2, j) + peep(2, j) * c, at_g = gate(3, j);
    const double i = cell.activate(0, at_i), g = cell.activate(1, at_g);
    const double f = input_forget ? 1 - i : cell.activate(0, at_f);
    const double after = f * c + i * g, at_o = gate(1, j) + peep(1, j) * after;
    const double d_o = dh * cell.activate(2, after) * cell.slope(0, at_o);
    const double dc = now.dc[size_t(j)] + dh * cell.activate(0, at_o) * cell.slope(2, after) + d_o * peep(1, j);
    const double d_i = dc * (input_forget ? g - c : g) * cell.slope(0, at_i);
    const double d_f = input_forget ? 0 : dc * c * cell.slope(0, at_f);
    now.dc[size_t(j)] = dc * f + d_i * peep(0, j) + d_f * peep(2, j);
    const double slopes[] = {d_i, d_o, d_f, dc * i * cell.slope(1, at_g)}, seen[] = {c, after, c};
    for (int64_t k = 0; k < 4; ++k) now.input_slope(k, j) = now.state_slope(k, j) = slopes[k];
    for (int64_t k = 0; k < 3; ++k) now.peepholes[k * hidden + j] += slopes[k] * seen[k];
  }
  now.dh.assign(now.dh.size(), 0);
  for (int64_t k = 0; k < 4; ++k) now.through(k, now.dh);
}

Result<std::vector<TensorType>> infer_lstm_grad(const OpCall& call) {
  const OpCall forward = recurrent_forward(call);
  PLIM_ASSIGN(const Recurrent layer, layer_of(forward));
  return infer_recurrent_grad(call, layer);
}

bool reference_lstm_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto peepholes = read_doubles(in, 10);
  const bool input_forget = couples(call);
  run_recurrent_back(
      *layer_of(recurrent_forward(call)), in, out, [&](Cell& cell) { step_lstm(cell, peepholes, input_forget); },
      [&](CellBack& now) { back_lstm(now, peepholes, input_forget); });
  return true;
}

const Op& lstm_grad() {
  static const Op op{.name = "lstm_grad",
                     .onnx = {},
                     .roles = "xxxxwwwcxxw",
                     .required_inputs = 0,
                     .infer = infer_lstm_grad,
                     .cost = [](const OpCall& call) { return recurrent_grad_cost(*layer_of(recurrent_forward(call))); },
                     .reference = reference_lstm_grad};
  return op;
}

void gradient_lstm(Backward& backward) { emit_recurrent_grad(backward, lstm_grad()); }

std::vector<OpExample> examples_lstm() {
  using example::f32;
  return {
      {"forward, all outputs", {{"hidden_size", int64_t{3}}}, {f32({4, 2, 5}), f32({1, 12, 5}), f32({1, 12, 3})}, 3},
      {"bidirectional with bias, batch first",
       {{"direction", std::string("bidirectional")}, {"layout", int64_t{1}}},
       {f32({2, 4, 5}), f32({2, 12, 5}), f32({2, 12, 3}), f32({2, 24})},
       2},
      {"input_forget", {{"input_forget", int64_t{1}}}, {f32({3, 1, 2}), f32({1, 8, 2}), f32({1, 8, 2})}},
      {"peepholes, two lengths, from a state",
       {{"layout", int64_t{1}}},
       {f32({2, 3, 2}), f32({1, 8, 2}), f32({1, 8, 2}), f32({1, 16}), example::ints({3, 1}), f32({2, 1, 2}),
        f32({2, 1, 2}), f32({1, 6})},
       3,
       false}};
}

}  // namespace

const Op& lstm_op() {
  static const Op op{.name = "lstm",
                     .starts = "ggg0",
                     .onnx = {"LSTM"},
                     .roles = "xwwwcxxw",
                     .required_inputs = 3,
                     .infer = infer_lstm,
                     .cost = cost_lstm,
                     .reference = reference_lstm,
                     .gradient = gradient_lstm,
                     .examples = examples_lstm};
  return op;
}

}  // namespace plimsoll
