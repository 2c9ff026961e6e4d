// lp_pool: the p-norm (Σ |x|^p)^(1/p) of each window. Cost: 2 for each number in the window (power, sum).
#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/p_norm.h"
#include "model/ops/pool.h"

namespace plimsoll {
namespace {

Cost cost_lp_pool(const OpCall& call) {
  const Cost once = cost_pool(call);
  return {{}, once.flops + once.flops};
}

bool reference_lp_pool(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Window window = *pool_window(call);
  const auto input_size = spatial(in[0].shape());
  const double p = call.attributes.number("p", 2);
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  pool_walk(in[0].shape(), out[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    double sum = 0;
    for_taps(window, input_size, at,
             [&](int64_t, int64_t offset) { sum += std::pow(std::abs(x[size_t(plane + offset)]), p); });
    y[size_t(i)] = std::pow(sum, 1 / p);
  });
  write_doubles(out, 0, y);
  return true;
}

// dy, x, y → dx. Counts a quotient, a power, a product and a sum for each number in the window.
bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape& shape = in[1].shape();
  const Window window = *read_window(call.attributes, shape, call.attributes.integers("kernel_shape"));
  const auto input_size = spatial(shape);
  const double p = call.attributes.number("p", 2);
  const auto dy = read_doubles(in[0]), x = read_doubles(in[1]), y = read_doubles(in[2]);
  std::vector<double> dx(x.size());
  pool_walk(shape, in[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    for_taps(window, input_size, at, [&](int64_t, int64_t offset) {
      const auto place = size_t(plane + offset);
      dx[place] += dy[size_t(i)] * p_norm_slope(x[place], y[size_t(i)], p);
    });
  });
  write_doubles(out, 0, dx);
  return true;
}

Cost cost_grad(const OpCall& call) {
  Count flops = call.type(0).elements() * (kTranscendental + 3);
  for (const int64_t size : call.attributes.integers("kernel_shape")) flops = flops * size;
  return {{}, as<Flops>(flops)};
}

void gradient_lp_pool(Backward& backward) {
  static const Op grad{.name = "lp_pool_grad",
                       .kind = OpKind::pool,
                       .onnx = {},
                       .required_inputs = 3,
                       .infer = like_x,
                       .cost = cost_grad,
                       .reference = reference_grad};
  backward.set(
      0, backward.emit(grad, {backward.gradient(), backward.input(0), backward.output(0)}, backward.attributes()));
}

std::vector<OpExample> examples_lp_pool() {
  using example::f32, example::Ints;
  return {{"2-norm", {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}}, {f32({2, 3, 6, 5})}},
          {"3-norm, padded", {{"kernel_shape", Ints{3}}, {"pads", Ints{1, 1}}, {"p", int64_t{3}}}, {f32({2, 3, 7})}}};
}

}  // namespace

const Op& lp_pool_op() {
  static const Op op{.name = "lp_pool",
                     .kind = OpKind::pool,
                     .onnx = {"LpPool"},
                     .infer = infer_pool,
                     .cost = cost_lp_pool,
                     .reference = reference_lp_pool,
                     .gradient = gradient_lp_pool,
                     .examples = examples_lp_pool};
  return op;
}

}  // namespace plimsoll
