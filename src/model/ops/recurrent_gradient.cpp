#include "model/ops/recurrent_gradient.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

constexpr size_t kOutputs = 3;                       // of the layer; their gradients come first
constexpr size_t kInputs[] = {0, 1, 2, 3, 5, 6, 7};  // that have a gradient, in the order of our outputs
constexpr const char* kOutputNames[] = {"Y", "Y_h", "Y_c"};

// The gradients while they are summed up.
struct Sums {
  std::vector<double> x, w, r, b, initial_h, initial_c, peepholes;

  explicit Sums(const Recurrent& layer) {
    const int64_t rows = layer.directions * layer.gates * layer.hidden;
    x.resize(size_t(layer.steps * layer.batch * layer.inputs));
    w.resize(size_t(rows * layer.inputs));
    r.resize(size_t(rows * layer.hidden));
    b.resize(size_t(2 * rows));
    initial_h.resize(size_t(layer.state().elements().value()));
    initial_c.resize(initial_h.size());
    peepholes.resize(size_t(layer.directions * 3 * layer.hidden));
  }

  // What one step adds for the weights, the biases and the input.
  void add(const CellBack& now, const RecurrentNumbers& numbers, int64_t time, int64_t sample) {
    const Recurrent& layer = now.cell.layer;
    const int64_t rows = layer.gates * layer.hidden, first = now.cell.direction * rows;
    const int64_t input = layer.input_at(time, sample);
    for (int64_t row = 0; row < rows; ++row) {
      const double slope = now.from_input[size_t(row)], recurrent = now.from_state[size_t(row)];
      b[size_t(2 * first + row)] += slope;
      b[size_t(2 * first + rows + row)] += recurrent;
      for (int64_t k = 0; k < layer.inputs; ++k) {
        w[size_t((first + row) * layer.inputs + k)] += slope * numbers.x[size_t(input + k)];
        x[size_t(input + k)] += slope * numbers.w[size_t((first + row) * layer.inputs + k)];
      }
      const bool last = row >= rows - layer.hidden;
      const auto& state = last && !now.kept.empty() ? now.kept : now.cell.h;
      for (int64_t k = 0; k < layer.hidden; ++k)
        r[size_t((first + row) * layer.hidden + k)] += recurrent * state[size_t(k)];
    }
  }
};

void add_at(std::vector<double>& to, const std::vector<double>& from, int64_t at) {
  if (from.empty()) return;
  for (size_t j = 0; j < to.size(); ++j) to[j] += from[size_t(at) + j];
}

}  // namespace

void CellBack::through(int64_t gate, std::vector<double>& state) const {
  const int64_t hidden = cell.layer.hidden;
  for (int64_t j = gate * hidden; j < (gate + 1) * hidden; ++j)
    for (int64_t k = 0; k < hidden; ++k) state[size_t(k)] += cell.R[j * hidden + k] * from_state[size_t(j)];
}

OpCall recurrent_forward(const OpCall& call) {
  std::vector<const TensorType*> inputs;
  for (size_t i = kOutputs; i < call.input_count(); ++i) inputs.push_back(call.has(i) ? &call.type(i) : nullptr);
  return OpCall(call.attributes, std::move(inputs), {}, kOutputs);
}

Result<std::vector<TensorType>> infer_recurrent_grad(const OpCall& call, const Recurrent& layer) {
  for (size_t i = 0; i < kOutputs; ++i) {
    const Shape expected = i == 0 ? layer.sequence() : layer.state();
    if (call.has(i) && call.shape(i) != expected)
      return user_error(fmt::format("the gradient of {} has the shape {}, expected {}", kOutputNames[i],
                                    call.shape(i).text(), expected.text()));
  }
  const Shape shapes[] = {call.shape(kOutputs),
                          call.shape(kOutputs + 1),
                          call.shape(kOutputs + 2),
                          {layer.directions, 2 * layer.gates * layer.hidden},
                          layer.state(),
                          layer.state(),
                          {layer.directions, 3 * layer.hidden}};
  std::vector<TensorType> types;
  for (size_t k = 0; k < std::size(shapes); ++k) {
    const size_t i = kOutputs + kInputs[k];
    types.push_back({call.dtype(call.has(i) ? i : kOutputs), shapes[k]});
  }
  return types;
}

Cost recurrent_grad_cost(const Recurrent& layer) {
  const Cost forward = recurrent_cost(layer);
  return {forward.macs * 3, forward.flops * 3};
}

void run_recurrent_back(const Recurrent& layer, std::span<const TensorView> in, std::span<const TensorView> out,
                        const std::function<void(Cell&)>& step, const std::function<void(CellBack&)>& back) {
  const RecurrentNumbers numbers(in.subspan(kOutputs));
  const auto dy = read_doubles(in, 0), dh = read_doubles(in, 1), dc = read_doubles(in, 2);
  Sums sums(layer);
  const auto hidden = size_t(layer.hidden);
  for (int64_t d = 0; d < layer.directions; ++d)
    for (int64_t n = 0; n < layer.batch; ++n) {
      const int64_t length = layer.length(numbers.lengths, n), state = layer.state_at(d, n);
      std::vector<Cell> before;  // each step's
      Cell cell = numbers.cell(layer, d, n);
      for (int64_t i = 0; i < length; ++i) {
        numbers.read_input(cell, layer.time(d, i, length), n);
        before.push_back(cell);
        step(cell);
      }
      CellBack now{cell,
                   std::vector<double>(hidden),
                   std::vector<double>(hidden),
                   {},
                   {},
                   {},
                   sums.peepholes.data() + d * 3 * layer.hidden};
      add_at(now.dh, dh, state);
      add_at(now.dc, dc, state);
      for (int64_t i = length; i-- > 0;) {
        const int64_t t = layer.time(d, i, length);
        CellBack one{before[size_t(i)],
                     now.dh,
                     now.dc,
                     std::vector<double>(size_t(layer.gates) * hidden),
                     std::vector<double>(size_t(layer.gates) * hidden),
                     {},
                     now.peepholes};
        add_at(one.dh, dy, layer.output_at(t, d, n));
        back(one);
        sums.add(one, numbers, t, n);
        now.dh = one.dh;
        now.dc = one.dc;
      }
      std::copy(now.dh.begin(), now.dh.end(), sums.initial_h.begin() + state);
      std::copy(now.dc.begin(), now.dc.end(), sums.initial_c.begin() + state);
    }
  const std::vector<double>* const results[] = {&sums.x,         &sums.w,         &sums.r,        &sums.b,
                                                &sums.initial_h, &sums.initial_c, &sums.peepholes};
  for (size_t k = 0; k < std::size(results); ++k) write_doubles(out, k, *results[k]);
}

void emit_recurrent_grad(Backward& backward, const Op& grad) {
  std::vector<ValueId> inputs;
  for (size_t i = 0; i < kOutputs; ++i)
    inputs.push_back(i < backward.call().output_count() ? backward.gradient(i) : ValueId{});
  for (size_t i = 0; i < backward.call().input_count(); ++i) inputs.push_back(backward.input(i));
  size_t outputs = 1;
  for (size_t k = 0; k < std::size(kInputs); ++k)
    if (backward.wants(kInputs[k])) outputs = k + 1;
  const auto gradients = backward.emit(grad, std::move(inputs), backward.attributes(), outputs);
  for (size_t k = 0; k < outputs; ++k)
    if (backward.wants(kInputs[k])) backward.set(kInputs[k], gradients[k]);
}

}  // namespace plimsoll
