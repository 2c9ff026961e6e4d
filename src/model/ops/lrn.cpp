// lrn: x / (bias + alpha / size · Σ x²)^beta, the sum running over `size` neighbouring channels.
// Cost: 2 · size + 3 an element: size squares and additions, scale, power, division.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_lrn(const OpCall& call) {
  const int64_t size = call.attributes.integer("size", 0);
  if (call.shape(0).rank() < 2)
    return user_error(fmt::format("the input has the shape {}, expected batch, channels …", call.shape(0).text()));
  if (size < 1 || size > int64_t{1} << 31) return user_error(fmt::format("size is {}, expected at least 1", size));
  return std::vector{call.type(0)};
}

Cost cost_lrn(const OpCall& call) {
  return {{}, as<Flops>(call.outputs[0].elements() * (2 * call.attributes.integer("size", 1) + 3))};
}

struct Lrn {
  int64_t size;
  double alpha, beta, bias;

  explicit Lrn(const Attributes& attributes)
      : size(attributes.integer("size", 1)),
        alpha(attributes.number("alpha", 1e-4)),
        beta(attributes.number("beta", 0.75)),
        bias(attributes.number("bias", 1)) {}

  // f(offset) for the number at offset i of channel c and its neighbours in the channels around it.
  template <class F>
  void for_neighbours(int64_t i, int64_t c, int64_t channels, int64_t plane, F&& f) const {
    for (int64_t k = std::max<int64_t>(0, c - (size - 1) / 2); k <= std::min(channels - 1, c + size / 2); ++k)
      f(size_t(i + (k - c) * plane));
  }

  // What is raised to the power of beta.
  double base(const std::vector<double>& x, int64_t i, int64_t c, int64_t channels, int64_t plane) const {
    double sum = 0;
    for_neighbours(i, c, channels, plane, [&](size_t at) { sum += x[at] * x[at]; });
    return bias + alpha / double(size) * sum;
  }
};

bool reference_lrn(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Lrn lrn(call.attributes);
  const Shape& shape = in[0].shape();
  const int64_t channels = shape[1], plane = shape.elements(2, shape.rank()).value();
  const auto x = read_doubles(in[0]);
  std::vector<double> y(x.size());
  for (int64_t i = 0; i < int64_t(x.size()); ++i) {
    const int64_t c = i / plane % channels;
    y[size_t(i)] = x[size_t(i)] / std::pow(lrn.base(x, i, c, channels, plane), lrn.beta);
  }
  write_doubles(out, 0, y);
  return true;
}

// With s = bias + alpha / size · Σ x²: dx = dy · s^-beta - 2 · alpha · beta / size · x · Σ dy · x · s^(-beta - 1), the
// sum running over the channels that x is a neighbour of. s is computed anew.
// Cost: 3 · size + 9 an element: s (2 · size + 2), its power, dy · x · power / s (3), their sum (size), the rest (3).
bool reference_lrn_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Lrn lrn(call.attributes);
  const Shape& shape = in[1].shape();
  const int64_t channels = shape[1], plane = shape.elements(2, shape.rank()).value();
  const auto dy = read_doubles(in[0]), x = read_doubles(in[1]);
  std::vector<double> dx(x.size());
  for (int64_t i = 0; i < int64_t(x.size()); ++i) {
    const int64_t c = i / plane % channels;
    const double s = lrn.base(x, i, c, channels, plane);
    const double power = std::pow(s, -lrn.beta);
    dx[size_t(i)] += dy[size_t(i)] * power;
    const double pulled = 2 * lrn.alpha * lrn.beta / double(lrn.size) * dy[size_t(i)] * x[size_t(i)] * power / s;
    lrn.for_neighbours(i, c, channels, plane, [&](size_t at) { dx[at] -= pulled * x[at]; });
  }
  write_doubles(out, 0, dx);
  return true;
}

Cost cost_lrn_grad(const OpCall& call) {
  return {{}, as<Flops>(call.outputs[0].elements() * (3 * call.attributes.integer("size", 1) + 9))};
}

const Op& lrn_grad() {
  static const Op op{.name = "lrn_grad",
                     .kind = OpKind::element,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = infer_lrn,
                     .cost = cost_lrn_grad,
                     .reference = reference_lrn_grad};
  return op;
}

void gradient_lrn(Backward& backward) {
  backward.set(0, backward.emit(lrn_grad(), {backward.gradient(), backward.input(0)}, backward.attributes()));
}

std::vector<OpExample> examples_lrn() {
  return {{"image", {{"size", int64_t{3}}}, {{{DType::f32, {2, 5, 3, 2}}}}},
          {"wider than the channels", {{"size", int64_t{8}}, {"alpha", 0.1}}, {{{DType::f32, {2, 3, 4}}}}}};
}

}  // namespace

const Op& lrn_op() {
  static const Op op{.name = "lrn",
                     .kind = OpKind::norm,
                     .onnx = {"LRN"},
                     .infer = infer_lrn,
                     .cost = cost_lrn,
                     .reference = reference_lrn,
                     .gradient = gradient_lrn,
                     .examples = examples_lrn};
  return op;
}

}  // namespace plimsoll
