// lrn: x / (bias + alpha / size · Σ x²)^beta, the sum running over `size` neighbouring channels.
// Cost: 2 · size + 3 an element: size squares and additions, scale, power, division.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"

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

bool reference_lrn(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const int64_t size = call.attributes.integer("size", 1);
  const double alpha = call.attributes.number("alpha", 1e-4), beta = call.attributes.number("beta", 0.75);
  const double bias = call.attributes.number("bias", 1);
  const Shape& shape = in[0].shape();
  const int64_t channels = shape[1], plane = shape.elements(2, shape.rank()).value();
  const auto x = read_doubles(in[0]);
  std::vector<double> y(x.size());
  for (int64_t i = 0; i < int64_t(x.size()); ++i) {
    const int64_t c = i / plane % channels;
    double sum = 0;
    for (int64_t k = std::max<int64_t>(0, c - (size - 1) / 2); k <= std::min(channels - 1, c + size / 2); ++k)
      sum += x[size_t(i + (k - c) * plane)] * x[size_t(i + (k - c) * plane)];
    y[size_t(i)] = x[size_t(i)] / std::pow(bias + alpha / double(size) * sum, beta);
  }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_lrn() {
  return {{"image", {{"size", int64_t{3}}}, {{{DType::f32, {2, 5, 3, 2}}}}},
          {"wider than the channels", {{"size", int64_t{8}}, {"alpha", 0.1}}, {{{DType::f32, {2, 3, 4}}}}}};
}

}  // namespace

const Op& lrn_op() {
  static const Op op{.name = "lrn",
                     .onnx = {"LRN"},
                     .infer = infer_lrn,
                     .cost = cost_lrn,
                     .reference = reference_lrn,
                     .examples = examples_lrn};
  return op;
}

}  // namespace plimsoll
