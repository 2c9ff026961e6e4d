// experts: each token through the few experts that it was routed to, their answers weighted and added up. Inputs: x (…,
// width), weights and indices (…, top_k), up (experts, width, hidden), down (experts, inner, width), and biases of both
// (experts, hidden), (experts, width). An expert is down(activation(up(x))); `gated`: hidden is twice inner, the first
// half goes through the activation and multiplies the second. With `limit` (gpt-oss) gate and factor take turns in
// hidden, both are bounded by it, the factor has 1 added, and `alpha` is the slope of the gate's sigmoid.
// Cost: the products of the chosen experts only, and 6 a hidden number.
// Backward, what is inside an expert is computed again, so that nothing but the inputs is kept: one product more.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/activations.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Sizes {
  int64_t tokens, width, experts, top_k, hidden, inner;
  bool gated;
};

Result<Sizes> expert_sizes(const OpCall& call, size_t first = 0) {
  const Shape &x = call.shape(first), &weights = call.shape(first + 1), &indices = call.shape(first + 2),
              &up = call.shape(first + 3), &down = call.shape(first + 4);
  const bool gated = call.attributes.integer("gated", 0) != 0;
  const bool ranks =
      x.rank() >= 2 && weights.rank() == x.rank() && weights == indices && up.rank() == 3 && down.rank() == 3;
  if (!ranks || up[0] != down[0] || up[1] != x[x.rank() - 1] || down[2] != up[1] ||
      up[2] != down[1] * (gated ? 2 : 1) || weights.elements(0, weights.rank() - 1) != x.elements(0, x.rank() - 1))
    return user_error(fmt::format("x {}, weights {}, indices {}, up {} and down {} do not belong together", x.text(),
                                  weights.text(), indices.text(), up.text(), down.text()));
  const Sizes sizes{
      x.elements(0, x.rank() - 1).value(), up[1], up[0], weights[weights.rank() - 1], up[2], down[1], gated};
  if (call.has(first + 5) && call.shape(first + 5) != Shape{sizes.experts, sizes.hidden})
    return user_error(
        fmt::format("the first bias is {}, expected {}x{}", call.shape(first + 5).text(), sizes.experts, sizes.hidden));
  if (call.has(first + 6) && call.shape(first + 6) != Shape{sizes.experts, sizes.width})
    return user_error(
        fmt::format("the second bias is {}, expected {}x{}", call.shape(first + 6).text(), sizes.experts, sizes.width));
  return sizes;
}

Result<std::vector<TensorType>> infer_experts(const OpCall& call) {
  PLIM_TRY(expert_sizes(call));
  return std::vector{call.type(0)};
}

Count product_macs(const Sizes& size) {
  return Count(size.tokens) * size.top_k * size.width * size.hidden +
         Count(size.tokens) * size.top_k * size.inner * size.width;
}

Cost cost_experts(const OpCall& call) {
  const Sizes size = *expert_sizes(call);
  const Count macs = product_macs(size);
  return {as<Macs>(macs), as<Flops>(macs * 2 + Count(size.tokens) * size.top_k * size.hidden * 6)};
}

// Of the experts' hidden numbers: value and slope at one number.
struct GateActivation {
  std::string name;
  double limit, alpha;

  explicit GateActivation(const Attributes& a)
      : name(a.text("activation", "silu")), limit(a.number("limit", 0)), alpha(a.number("alpha", 1)) {}

  double value(double x) const {
    if (name == "gelu") return gelu(x);
    if (name == "tanh_gelu") return tanh_gelu(x);
    if (name == "relu") return std::max(x, 0.0);
    if (name == "squared_relu") return std::max(x, 0.0) * std::max(x, 0.0);
    return x * sigmoid(alpha * x);
  }
  double slope(double x) const {
    if (name == "gelu") return gelu_slope(x);
    if (name == "tanh_gelu") return tanh_gelu_slope(x);
    if (name == "relu") return x > 0 ? 1 : 0;
    if (name == "squared_relu") return 2 * std::max(x, 0.0);
    return scaled_silu_slope(x, alpha);
  }
};

// One token in one expert, forward and back.
class Expert {
 public:
  Expert(const OpCall& call, const Sizes& size, std::span<const TensorView> in)
      : size_(size),
        activation_(call.attributes),
        x(read_doubles(in[0])),
        weights(read_doubles(in[1])),
        indices(read_doubles(in[2])),
        up(read_doubles(in[3])),
        down(read_doubles(in[4])),
        up_bias(read_doubles(in, 5)),
        down_bias(read_doubles(in, 6)) {}

  bool indices_are_good() const {
    for (const double index : indices)
      if (!(index >= 0 && index < double(size_.experts))) return false;
    return true;
  }

  void run(size_t token, size_t expert) {
    const auto width = size_t(size_.width), wide = size_t(size_.hidden), inner_size = size_t(size_.inner);
    hidden.assign(wide, 0);
    for (size_t h = 0; h < wide; ++h) {
      double sum = up_bias.empty() ? 0 : up_bias[expert * wide + h];
      for (size_t k = 0; k < width; ++k) sum += x[token * width + k] * up[(expert * width + k) * wide + h];
      hidden[h] = sum;
    }
    inner.assign(inner_size, 0);
    for (size_t i = 0; i < inner_size; ++i)
      inner[i] = size_.gated ? activation_.value(gate(i)) * factor(i) : activation_.value(hidden[i]);
    y.assign(width, 0);
    for (size_t k = 0; k < width; ++k) {
      double sum = down_bias.empty() ? 0 : down_bias[expert * width + k];
      for (size_t i = 0; i < inner_size; ++i) sum += inner[i] * down[(expert * inner_size + i) * width + k];
      y[k] = sum;
    }
  }

  // Of the loss by each hidden number, from its slope by each inner one.
  std::vector<double> hidden_slopes(const std::vector<double>& by_inner) const {
    std::vector<double> slopes(hidden.size());
    for (size_t i = 0; i < by_inner.size(); ++i) {
      if (!size_.gated) {
        slopes[i] = by_inner[i] * activation_.slope(hidden[i]);
        continue;
      }
      const double g = hidden[gate_at(i)], f = hidden[factor_at(i)], limit = activation_.limit;
      slopes[gate_at(i)] = limit > 0 && g > limit ? 0 : by_inner[i] * activation_.slope(gate(i)) * factor(i);
      slopes[factor_at(i)] = limit > 0 && std::abs(f) > limit ? 0 : by_inner[i] * activation_.value(gate(i));
    }
    return slopes;
  }

 private:
  size_t gate_at(size_t i) const { return activation_.limit > 0 ? 2 * i : i; }
  size_t factor_at(size_t i) const { return activation_.limit > 0 ? 2 * i + 1 : i + size_t(size_.inner); }
  double gate(size_t i) const {
    const double g = hidden[gate_at(i)];
    return activation_.limit > 0 ? std::min(g, activation_.limit) : g;
  }
  double factor(size_t i) const {
    const double f = hidden[factor_at(i)], limit = activation_.limit;
    return limit > 0 ? std::clamp(f, -limit, limit) + 1 : f;
  }

  const Sizes& size_;
  const GateActivation activation_;

 public:
  const std::vector<double> x, weights, indices, up, down, up_bias, down_bias;
  std::vector<double> hidden, inner, y;
};

bool reference_experts(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Sizes size = *expert_sizes(call);
  Expert expert(call, size, in);
  if (!expert.indices_are_good()) return false;
  std::vector<double> y(size_t(out[0].size()));
  const auto width = size_t(size.width), top_k = size_t(size.top_k);
  for (size_t i = 0; i < expert.indices.size(); ++i) {
    expert.run(i / top_k, size_t(expert.indices[i]));
    for (size_t k = 0; k < width; ++k) y[i / top_k * width + k] += expert.weights[i] * expert.y[k];
  }
  write_doubles(out, 0, y);
  return true;
}

// dy, then the forward inputs → the gradients of x, weights, up, down and both biases.
Result<std::vector<TensorType>> infer_experts_grad(const OpCall& call) {
  PLIM_TRY(expert_sizes(call, 1));
  if (call.shape(0) != call.shape(1)) return user_error("the gradient is not of the input's shape");
  std::vector<TensorType> outputs{call.type(1), call.type(2), call.type(4), call.type(5)};
  for (size_t i = 6; i <= 7; ++i) outputs.push_back(call.has(i) ? call.type(i) : TensorType{call.dtype(0), {0}});
  return outputs;
}

Cost cost_experts_grad(const OpCall& call) {
  const Sizes size = *expert_sizes(call, 1);
  const Count macs = product_macs(size) * 2;
  const Count again = Count(size.tokens) * size.top_k * size.width * size.hidden;
  return {as<Macs>(macs), as<Flops>((macs + again) * 2 + Count(size.tokens) * size.top_k * size.hidden * 12)};
}

class ExpertGradients {
 public:
  ExpertGradients(const Sizes& size, Expert& expert, std::vector<double> dy)
      : dx(expert.x.size()),
        dweights(expert.weights.size()),
        dup(expert.up.size()),
        ddown(expert.down.size()),
        dup_bias(expert.up_bias.size()),
        ddown_bias(expert.down_bias.size()),
        size_(size),
        expert_(expert),
        dy_(std::move(dy)) {}

  void add(size_t i) {
    const size_t token = i / size_t(size_.top_k), e = size_t(expert_.indices[i]);
    const auto width = size_t(size_.width), inner = size_t(size_.inner), hidden = size_t(size_.hidden);
    expert_.run(token, e);
    std::vector<double> by_inner(inner);
    for (size_t k = 0; k < width; ++k) {
      const double slope = dy_[token * width + k] * expert_.weights[i];
      dweights[i] += dy_[token * width + k] * expert_.y[k];
      if (!ddown_bias.empty()) ddown_bias[e * width + k] += slope;
      for (size_t j = 0; j < inner; ++j) {
        by_inner[j] += slope * expert_.down[(e * inner + j) * width + k];
        ddown[(e * inner + j) * width + k] += slope * expert_.inner[j];
      }
    }
    const auto slopes = expert_.hidden_slopes(by_inner);
    for (size_t h = 0; h < hidden; ++h) {
      if (!dup_bias.empty()) dup_bias[e * hidden + h] += slopes[h];
      for (size_t k = 0; k < width; ++k) {
        dx[token * width + k] += slopes[h] * expert_.up[(e * width + k) * hidden + h];
        dup[(e * width + k) * hidden + h] += slopes[h] * expert_.x[token * width + k];
      }
    }
  }

  std::vector<double> dx, dweights, dup, ddown, dup_bias, ddown_bias;

 private:
  const Sizes& size_;
  Expert& expert_;
  const std::vector<double> dy_;
};

bool reference_experts_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Sizes size = *expert_sizes(call, 1);
  Expert expert(call, size, in.subspan(1));
  if (!expert.indices_are_good()) return false;
  ExpertGradients sums(size, expert, read_doubles(in[0]));
  for (size_t i = 0; i < expert.indices.size(); ++i) sums.add(i);
  write_doubles(out, 0, sums.dx);
  write_doubles(out, 1, sums.dweights);
  write_doubles(out, 2, sums.dup);
  write_doubles(out, 3, sums.ddown);
  if (!sums.dup_bias.empty()) write_doubles(out, 4, sums.dup_bias);
  if (!sums.ddown_bias.empty()) write_doubles(out, 5, sums.ddown_bias);
  return true;
}

const Op& experts_grad() {
  static const Op op{.name = "experts_grad",
                     .starts = "ssssm",
                     .onnx = {},
                     .roles = "xxxtwwww",
                     .required_inputs = 6,
                     .infer = infer_experts_grad,
                     .cost = cost_experts_grad,
                     .reference = reference_experts_grad};
  return op;
}

void gradient_experts(Backward& backward) {
  std::vector<ValueId> inputs{backward.gradient()};
  for (size_t i = 0; i < 7; ++i) inputs.push_back(backward.input(i));
  const auto gradients = backward.emit(experts_grad(), std::move(inputs), backward.attributes(), 6);
  constexpr size_t kOf[] = {0, 1, 3, 4, 5, 6};  // the inputs that these are the gradients of
  for (size_t i = 0; i < 6; ++i)
    if (backward.wants(kOf[i])) backward.set(kOf[i], gradients[i]);
}

std::vector<OpExample> examples_experts() {
  using example::f32;
  const auto indices = [](const Shape& shape, const std::vector<int64_t>& numbers) {
    Tensor tensor = integer_tensor(numbers);
    tensor.type.shape = shape;
    return example::known(std::move(tensor));
  };
  return {
      {"gated",
       {{"gated", int64_t{1}}},
       {f32({2, 1, 3}), f32({2, 1, 2}), indices({2, 1, 2}, {0, 2, 1, 0}), f32({3, 3, 4}), f32({3, 2, 3})}},
      {"plain",
       {{"activation", std::string("gelu")}},
       {f32({2, 3}), f32({2, 1}), indices({2, 1}, {1, 0}), f32({2, 3, 2}), f32({2, 2, 3})}},
      {"bounded, with biases",
       {{"gated", int64_t{1}}, {"limit", 7.0}, {"alpha", 1.702}},
       {f32({2, 3}), f32({2, 1}), indices({2, 1}, {1, 0}), f32({2, 3, 4}), f32({2, 2, 3}), f32({2, 4}), f32({2, 3})}}};
}

}  // namespace

const Op& experts_op() {
  static const Op op{.name = "experts",
                     .starts = "sssm",
                     .onnx = {},
                     .roles = "xxtwwww",
                     .required_inputs = 5,
                     .infer = infer_experts,
                     .cost = cost_experts,
                     .reference = reference_experts,
                     .gradient = gradient_experts,
                     .examples = examples_experts};
  return op;
}

}  // namespace plimsoll
