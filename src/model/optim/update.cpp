#include "model/optim/update.h"

#include <fmt/format.h>

#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/example.h"

namespace plimsoll {

double norm(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return std::sqrt(sum);
}

void add_decay(Update& update) {
  const double decay = update.settings.number("weight_decay", 0);
  if (decay == 0) return;
  for (size_t i = 0; i < update.size(); ++i) update.gradient[i] += decay * update.parameter[i];
}

int64_t decay_flops(const Attributes& settings) { return settings.number("weight_decay", 0) == 0 ? 0 : 2; }

Corrections update_moments(Update& update) {
  const double beta1 = update.settings.number("beta1", 0.9), beta2 = update.settings.number("beta2", 0.999);
  auto &m = update.state[0], &v = update.state[1];
  for (size_t i = 0; i < update.size(); ++i) {
    const double g = update.gradient[i];
    m[i] = beta1 * m[i] + (1 - beta1) * g;
    v[i] = beta2 * v[i] + (1 - beta2) * g * g;
  }
  return {1 - std::pow(beta1, update.step), 1 - std::pow(beta2, update.step)};
}

Cost update_cost(const OpCall& call, int64_t flops_per_parameter) {
  return {{}, as<Flops>(call.type(0).elements() * flops_per_parameter)};
}

Result<std::vector<TensorType>> infer_update(const OpCall& call, size_t states) {
  std::vector<TensorType> outputs;
  for (size_t i = 0; i < states + 2; ++i) {
    if (!is_floating(call.dtype(i)) || call.shape(i) != call.shape(0))
      return user_error(fmt::format("input {} has the shape {}, expected the parameter's {} in a floating format", i,
                                    call.shape(i).text(), call.shape(0).text()));
    if (i != 1) outputs.push_back(call.type(i));
  }
  for (size_t i = states + 2; i < states + 4; ++i)
    if (call.type(i).elements() != Count(1))
      return user_error(fmt::format("the {} has the shape {}, expected one number",
                                    i == states + 2 ? "learning rate" : "step", call.shape(i).text()));
  return outputs;
}

bool run_update(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out, size_t states,
                void (*rule)(Update&)) {
  if (!all_numbers(in, out)) return false;
  Update update{call.attributes, read_doubles(in[0]), read_doubles(in[1]), {}};
  for (size_t i = 0; i < states; ++i) update.state.push_back(read_doubles(in[2 + i]));
  update.learning_rate = read_doubles(in[2 + states])[0];
  update.step = read_doubles(in[3 + states])[0];
  rule(update);
  write_doubles(out, 0, update.parameter);
  for (size_t i = 0; i < states; ++i) write_doubles(out, 1 + i, update.state[i]);
  return true;
}

std::vector<OpExample> update_examples(size_t states) {
  const auto example = [&](const char* what, const Shape& shape) {
    OpExample made{what, {}, std::vector(states + 2, example::f32(shape)), states + 1};
    made.inputs.push_back(example::f32({}));
    made.inputs.push_back(example::i64({}));
    return made;
  };
  return {example("a matrix", {3, 4}), example("a bias", {5})};
}

std::vector<InputUpdate> input_updates(size_t states) {
  std::vector<InputUpdate> updates{{0, 0}};
  for (size_t i = 0; i < states; ++i) updates.push_back({1 + i, 2 + i});
  return updates;
}

}  // namespace plimsoll
