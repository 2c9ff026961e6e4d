// gated_delta_rule: the recurrence of Gated DeltaNet (Yang 2024). Inputs: queries and keys (batch, sequence,
// key_heads × key), values (batch, sequence, heads × value), the logarithm of what is left of the state, g, and the
// strength of a correction, β, both (batch, sequence, heads). heads / `key_heads` heads share a query and a key. Each
// head has a state S (key, value):
//   S = exp(g) · S,   S = S + k ⊗ β (v − Sᵀk),   y = Sᵀq / √key.
// Cost: three products of the state with a vector a position, and one multiplication a number of the state.
// Backward, the states are computed again, so that nothing but the inputs is kept.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct DeltaSizes {
  int64_t batch, sequence, heads, key_heads, key, value;

  size_t state() const { return size_t(key * value); }
  double scale() const { return 1 / std::sqrt(double(key)); }
};

Result<DeltaSizes> delta_sizes(const OpCall& call, size_t first = 0) {
  const Shape &q = call.shape(first), &k = call.shape(first + 1), &v = call.shape(first + 2),
              &g = call.shape(first + 3), &beta = call.shape(first + 4);
  const int64_t key_heads = call.attributes.integer("key_heads", 1);
  const bool ranks = q.rank() == 3 && q == k && v.rank() == 3 && g.rank() == 3 && g == beta && key_heads > 0;
  const bool good = ranks && g[2] > 0 && q[2] % key_heads == 0 && v[2] % g[2] == 0 && g[2] % key_heads == 0 &&
                    q[0] == v[0] && q[1] == v[1] && g[0] == v[0] && g[1] == v[1];
  if (!good)
    return user_error(
        fmt::format("queries {}, keys {}, values {}, decays {} and strengths {} in {} heads of keys do not "
                    "belong together",
                    q.text(), k.text(), v.text(), g.text(), beta.text(), key_heads));
  return DeltaSizes{q[0], q[1], g[2], key_heads, q[2] / key_heads, v[2] / g[2]};
}

Result<std::vector<TensorType>> infer_gated_delta_rule(const OpCall& call) {
  PLIM_TRY(delta_sizes(call));
  return std::vector{call.type(2)};
}

Count state_numbers(const DeltaSizes& size) {
  return Count(size.batch) * size.sequence * size.heads * size.key * size.value;
}

Cost cost_gated_delta_rule(const OpCall& call) {
  const Count numbers = state_numbers(*delta_sizes(call));
  return {as<Macs>(numbers * 3), as<Flops>(numbers * 7)};
}

struct DeltaRuleInputs {
  explicit DeltaRuleInputs(std::span<const TensorView> in)
      : q(read_doubles(in[0])),
        k(read_doubles(in[1])),
        v(read_doubles(in[2])),
        g(read_doubles(in[3])),
        beta(read_doubles(in[4])) {}
  std::vector<double> q, k, v, g, beta;
};

// Where the numbers of one head at one position are.
struct DeltaPlace {
  size_t key, value, step;

  DeltaPlace(const DeltaSizes& size, int64_t n, int64_t h, int64_t s)
      : key(size_t(((n * size.sequence + s) * size.key_heads + h / (size.heads / size.key_heads)) * size.key)),
        value(size_t(((n * size.sequence + s) * size.heads + h) * size.value)),
        step(size_t((n * size.sequence + s) * size.heads + h)) {}
};

// What a head's state is after each position, the first being 0, and what each position corrects it by.
struct DeltaStates {
  std::vector<double> states, corrections;

  DeltaStates(const DeltaSizes& size, const DeltaRuleInputs& in, int64_t n, int64_t h)
      : states(size_t(size.sequence + 1) * size.state()), corrections(size_t(size.sequence * size.value)) {
    const auto keys = size_t(size.key), values = size_t(size.value);
    for (int64_t s = 0; s < size.sequence; ++s) {
      const DeltaPlace at(size, n, h, s);
      const double* was = states.data() + size_t(s) * size.state();
      double* now = states.data() + size_t(s + 1) * size.state();
      const double left = std::exp(in.g[at.step]);
      for (size_t i = 0; i < size.state(); ++i) now[i] = left * was[i];
      for (size_t j = 0; j < values; ++j) {
        double known = 0;
        for (size_t i = 0; i < keys; ++i) known += now[i * values + j] * in.k[at.key + i];
        corrections[size_t(s) * values + j] = in.beta[at.step] * (in.v[at.value + j] - known);
      }
      for (size_t i = 0; i < keys; ++i)
        for (size_t j = 0; j < values; ++j)
          now[i * values + j] += in.k[at.key + i] * corrections[size_t(s) * values + j];
    }
  }
};

bool reference_gated_delta_rule(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const DeltaSizes size = *delta_sizes(call);
  const DeltaRuleInputs inputs(in);
  const auto keys = size_t(size.key), values = size_t(size.value);
  std::vector<double> y(size_t(out[0].size()));
  for (int64_t n = 0; n < size.batch; ++n)
    for (int64_t h = 0; h < size.heads; ++h) {
      const DeltaStates all(size, inputs, n, h);
      for (int64_t s = 0; s < size.sequence; ++s) {
        const DeltaPlace at(size, n, h, s);
        const double* state = all.states.data() + size_t(s + 1) * size.state();
        for (size_t i = 0; i < keys; ++i)
          for (size_t j = 0; j < values; ++j)
            y[at.value + j] += state[i * values + j] * inputs.q[at.key + i] * size.scale();
      }
    }
  write_doubles(out, 0, y);
  return true;
}

struct DeltaGradients {
  explicit DeltaGradients(const DeltaRuleInputs& in)
      : q(in.q.size()), k(in.k.size()), v(in.v.size()), g(in.g.size()), beta(in.beta.size()) {}
  std::vector<double> q, k, v, g, beta;

  // One head of one sample, from the last position to the first; `d` is the slope of the state after the position.
  void add(const DeltaSizes& size, const DeltaRuleInputs& in, const std::vector<double>& dy, int64_t n, int64_t h) {
    const DeltaStates all(size, in, n, h);
    std::vector<double> d(size.state());
    for (int64_t s = size.sequence; s-- > 0;) step(size, in, dy, all, DeltaPlace(size, n, h, s), size_t(s), d);
  }

 private:
  void step(const DeltaSizes& size, const DeltaRuleInputs& in, const std::vector<double>& dy, const DeltaStates& all,
            const DeltaPlace& at, size_t s, std::vector<double>& d) {
    const auto keys = size_t(size.key), values = size_t(size.value);
    const double* was = all.states.data() + s * size.state();
    const double* now = was + size.state();
    const double* u = all.corrections.data() + s * values;
    const double left = std::exp(in.g[at.step]), strength = in.beta[at.step];
    for (size_t i = 0; i < keys; ++i)
      for (size_t j = 0; j < values; ++j) {
        const double slope = dy[at.value + j] * size.scale();
        q[at.key + i] += now[i * values + j] * slope;
        d[i * values + j] += in.q[at.key + i] * slope;
        k[at.key + i] += d[i * values + j] * u[j];
      }
    for (size_t j = 0; j < values; ++j) {
      double du = 0, known = 0;
      for (size_t i = 0; i < keys; ++i) {
        du += d[i * values + j] * in.k[at.key + i];
        known += left * was[i * values + j] * in.k[at.key + i];
      }
      beta[at.step] += du * (in.v[at.value + j] - known);
      v[at.value + j] += du * strength;
      for (size_t i = 0; i < keys; ++i) {
        k[at.key + i] -= du * strength * left * was[i * values + j];
        d[i * values + j] -= du * strength * in.k[at.key + i];
      }
    }
    for (size_t i = 0; i < size.state(); ++i) {
      g[at.step] += d[i] * left * was[i];
      d[i] *= left;
    }
  }
};

bool reference_gated_delta_rule_grad(const OpCall& call, std::span<const TensorView> in,
                                     std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const DeltaSizes size = *delta_sizes(call, 1);
  const DeltaRuleInputs inputs(in.subspan(1));
  const auto dy = read_doubles(in[0]);
  DeltaGradients sums(inputs);
  for (int64_t n = 0; n < size.batch; ++n)
    for (int64_t h = 0; h < size.heads; ++h) sums.add(size, inputs, dy, n, h);
  write_doubles(out, 0, sums.q);
  write_doubles(out, 1, sums.k);
  write_doubles(out, 2, sums.v);
  write_doubles(out, 3, sums.g);
  write_doubles(out, 4, sums.beta);
  return true;
}

Result<std::vector<TensorType>> infer_gated_delta_rule_grad(const OpCall& call) {
  PLIM_TRY(delta_sizes(call, 1));
  if (call.shape(0) != call.shape(3)) return user_error("the gradient is not of the values' shape");
  std::vector<TensorType> outputs;
  for (size_t i = 1; i <= 5; ++i) outputs.push_back(call.type(i));
  return outputs;
}

const Op& gated_delta_rule_grad() {
  static const Op op{.name = "gated_delta_rule_grad",
                     .onnx = {},
                     .roles = "xxxxxx",
                     .required_inputs = 6,
                     .infer = infer_gated_delta_rule_grad,
                     .cost =
                         [](const OpCall& call) {
                           const Count numbers = state_numbers(*delta_sizes(call, 1));
                           return Cost{as<Macs>(numbers * 9), as<Flops>(numbers * 21)};
                         },
                     .reference = reference_gated_delta_rule_grad};
  return op;
}

void gradient_gated_delta_rule(Backward& backward) {
  std::vector<ValueId> inputs{backward.gradient()};
  for (size_t i = 0; i < 5; ++i) inputs.push_back(backward.input(i));
  const auto gradients = backward.emit(gated_delta_rule_grad(), std::move(inputs), backward.attributes(), 5);
  for (size_t i = 0; i < 5; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

std::vector<OpExample> examples_gated_delta_rule() {
  using example::f32;
  return {{"one head", {}, {f32({2, 3, 2}), f32({2, 3, 2}), f32({2, 3, 3}), f32({2, 3, 1}), f32({2, 3, 1})}},
          {"two heads share a key",
           {{"key_heads", int64_t{1}}},
           {f32({1, 3, 2}), f32({1, 3, 2}), f32({1, 3, 4}), f32({1, 3, 2}), f32({1, 3, 2})}}};
}

}  // namespace

const Op& gated_delta_rule_op() {
  static const Op op{.name = "gated_delta_rule",
                     .onnx = {},
                     .roles = "xxxxx",
                     .required_inputs = 5,
                     .infer = infer_gated_delta_rule,
                     .cost = cost_gated_delta_rule,
                     .reference = reference_gated_delta_rule,
                     .gradient = gradient_gated_delta_rule,
                     .examples = examples_gated_delta_rule};
  return op;
}

}  // namespace plimsoll
