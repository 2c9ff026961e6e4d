#include "model/ops/recurrent.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace plimsoll {
namespace {

Status expect(const OpCall& call, size_t i, std::string_view name, const Shape& shape) {
  if (!call.has(i) || call.shape(i) == shape) return {};
  return user_error(fmt::format("{} has the shape {}, expected {}", name, call.shape(i).text(), shape.text()));
}

Result<std::vector<Activation>> activations_of(const OpCall& call, const Recurrent& layer,
                                               const std::vector<std::string>& defaults) {
  std::vector<std::string> names;
  if (const Attribute* given = call.attributes.find("activations"))
    if (const auto* list = std::get_if<std::vector<std::string>>(given)) names = *list;
  if (names.empty())
    for (int64_t d = 0; d < layer.directions; ++d) names.insert(names.end(), defaults.begin(), defaults.end());
  if (names.size() != defaults.size() * size_t(layer.directions))
    return user_error(fmt::format("activations has {} names, expected {} for each of {} directions", names.size(),
                                  defaults.size(), layer.directions));
  const auto alphas = call.attributes.numbers("activation_alpha"), betas = call.attributes.numbers("activation_beta");
  size_t alpha = 0, beta = 0;  // consumed by those activations that have them
  std::vector<Activation> activations;
  for (const auto& name : names) {
    PLIM_ASSIGN(Activation activation, activation_named(name, std::nullopt, std::nullopt));
    if (activation.parameters > 0 && alpha < alphas.size()) activation.alpha = alphas[alpha++];
    if (activation.parameters > 1 && beta < betas.size()) activation.beta = betas[beta++];
    activations.push_back(std::move(activation));
  }
  return activations;
}

}  // namespace

Shape Recurrent::state() const {
  return batch_first ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
}

Shape Recurrent::sequence() const {
  return batch_first ? Shape{batch, steps, directions, hidden} : Shape{steps, directions, batch, hidden};
}

int64_t Recurrent::state_at(int64_t d, int64_t n) const {
  return (batch_first ? n * directions + d : d * batch + n) * hidden;
}

int64_t Recurrent::input_at(int64_t t, int64_t n) const {
  return (batch_first ? n * steps + t : t * batch + n) * inputs;
}

int64_t Recurrent::output_at(int64_t t, int64_t d, int64_t n) const {
  return (batch_first ? (n * steps + t) * directions + d : (t * directions + d) * batch + n) * hidden;
}

int64_t Recurrent::length(const std::vector<double>& lengths, int64_t n) const {
  return lengths.empty() ? steps : std::clamp<int64_t>(clamped<int64_t>(lengths[size_t(n)]), 0, steps);
}

Result<Recurrent> recurrent(const OpCall& call, int64_t gates, const std::vector<std::string>& defaults) {
  const Shape &x = call.shape(0), &w = call.shape(1), &r = call.shape(2);
  if (x.rank() != 3 || w.rank() != 3 || r.rank() != 3)
    return user_error(fmt::format("X {}, W {} and R {}: expected three axes each", x.text(), w.text(), r.text()));
  const std::string direction = call.attributes.text("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return user_error(fmt::format("direction is {}, expected forward, reverse or bidirectional", in_quotes(direction)));
  Recurrent layer;
  layer.batch_first = call.attributes.integer("layout", 0) != 0;
  layer.backwards = direction == "reverse";
  layer.clip = std::abs(call.attributes.number("clip", 0));
  layer.directions = direction == "bidirectional" ? 2 : 1;
  layer.steps = x[layer.batch_first ? 1 : 0];
  layer.batch = x[layer.batch_first ? 0 : 1];
  layer.inputs = x[2];
  layer.gates = gates;
  layer.hidden = r[2];
  const int64_t stated = call.attributes.integer("hidden_size", layer.hidden);
  if (layer.hidden < 1 || layer.hidden > int64_t{1} << 31 || stated != layer.hidden)
    return user_error(fmt::format("R has the shape {} for hidden_size {}", r.text(), stated));
  PLIM_TRY(expect(call, 1, "W", {layer.directions, gates * layer.hidden, layer.inputs}));
  PLIM_TRY(expect(call, 2, "R", {layer.directions, gates * layer.hidden, layer.hidden}));
  PLIM_TRY(expect(call, 3, "B", {layer.directions, 2 * gates * layer.hidden}));
  PLIM_TRY(expect(call, 4, "sequence_lens", {layer.batch}));
  PLIM_TRY(expect(call, 5, "initial_h", layer.state()));
  PLIM_ASSIGN(layer.activations, activations_of(call, layer, defaults));
  return layer;
}

std::vector<TensorType> recurrent_types(const OpCall& call, const Recurrent& layer, size_t most) {
  std::vector<TensorType> types{{call.dtype(0), layer.sequence()}};
  while (types.size() < std::min(most, call.output_count())) types.push_back({call.dtype(0), layer.state()});
  return types;
}

Cost recurrent_cost(const Recurrent& layer) {
  const Count rows = Count(layer.steps) * layer.batch * layer.directions * layer.gates * layer.hidden;
  const Count macs = rows * Count(layer.inputs) + rows * Count(layer.hidden);
  return {as<Macs>(macs), as<Flops>(macs * 2)};
}

double Cell::product(int64_t gate, int64_t j, const std::vector<double>& state) const {
  const int64_t row = gate * layer.hidden + j;
  double sum = recurrent_bias ? recurrent_bias[row] : 0;
  for (int64_t k = 0; k < layer.hidden; ++k) sum += R[row * layer.hidden + k] * state[size_t(k)];
  return sum;
}

const Activation& Cell::activation(size_t k) const {
  return layer.activations[size_t(direction) * (layer.activations.size() / size_t(layer.directions)) + k];
}

double Cell::activate(size_t k, double x) const {
  if (layer.clip > 0) x = std::min(std::max(x, -layer.clip), layer.clip);
  return activation(k)(x);
}

double Cell::slope(size_t k, double x) const {
  if (layer.clip > 0 && std::abs(x) > layer.clip) return 0;
  return activation(k).slope(x);
}

RecurrentNumbers::RecurrentNumbers(std::span<const TensorView> in)
    : x(read_doubles(in, 0)),
      w(read_doubles(in, 1)),
      r(read_doubles(in, 2)),
      b(read_doubles(in, 3)),
      lengths(read_doubles(in, 4)),
      initial_h(read_doubles(in, 5)),
      initial_c(read_doubles(in, 6)) {}

Cell RecurrentNumbers::cell(const Recurrent& layer, int64_t direction, int64_t sample) const {
  const int64_t rows = layer.gates * layer.hidden, state = layer.state_at(direction, sample);
  const double* bias = b.empty() ? nullptr : b.data() + (direction * 2 + 1) * rows;
  Cell cell{layer, direction, r.data() + direction * rows * layer.hidden, bias, {}, {}, {}};
  cell.input.resize(size_t(rows));
  cell.h.assign(size_t(layer.hidden), 0);
  cell.c.assign(size_t(layer.hidden), 0);
  if (!initial_h.empty()) std::copy_n(initial_h.begin() + state, layer.hidden, cell.h.begin());
  if (!initial_c.empty()) std::copy_n(initial_c.begin() + state, layer.hidden, cell.c.begin());
  return cell;
}

void RecurrentNumbers::read_input(Cell& cell, int64_t time, int64_t sample) const {
  const int64_t inputs = cell.layer.inputs, rows = int64_t(cell.input.size());
  const double* numbers = x.data() + cell.layer.input_at(time, sample);
  for (int64_t row = 0; row < rows; ++row) {
    double sum = b.empty() ? 0 : b[size_t(cell.direction * 2 * rows + row)];
    const double* weights = w.data() + (cell.direction * rows + row) * inputs;
    for (int64_t k = 0; k < inputs; ++k) sum += weights[k] * numbers[k];
    cell.input[size_t(row)] = sum;
  }
}

void run_recurrent(const Recurrent& layer, std::span<const TensorView> in, std::span<const TensorView> out,
                   const std::function<void(Cell&)>& step) {
  const RecurrentNumbers numbers(in);
  std::vector<double> y(size_t(layer.sequence().elements().value()));
  std::vector<double> last_h(size_t(layer.state().elements().value())), last_c(last_h.size());
  for (int64_t d = 0; d < layer.directions; ++d)
    for (int64_t n = 0; n < layer.batch; ++n) {
      Cell cell = numbers.cell(layer, d, n);
      const int64_t length = layer.length(numbers.lengths, n);
      for (int64_t i = 0; i < length; ++i) {
        const int64_t t = layer.time(d, i, length);
        numbers.read_input(cell, t, n);
        step(cell);
        std::copy(cell.h.begin(), cell.h.end(), y.begin() + layer.output_at(t, d, n));
      }
      std::copy(cell.h.begin(), cell.h.end(), last_h.begin() + layer.state_at(d, n));
      std::copy(cell.c.begin(), cell.c.end(), last_c.begin() + layer.state_at(d, n));
    }
  write_doubles(out, 0, y);
  write_doubles(out, 1, last_h);
  write_doubles(out, 2, last_c);
}

}  // namespace plimsoll
