// global_lp_pool: the p-norm (Σ |x|^p)^(1/p) of each plane. Cost: 2 for each number read (power, sum).
#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/p_norm.h"
#include "model/ops/pool.h"

namespace plimsoll {
namespace {

Cost cost_global_lp_pool(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements() * 2)}; }

bool reference_global_lp_pool(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double p = call.attributes.number("p", 2);
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  const size_t plane = y.empty() ? 0 : x.size() / y.size();
  for (size_t i = 0; i < x.size(); ++i) y[i / plane] += std::pow(std::abs(x[i]), p);
  for (double& number : y) number = std::pow(number, 1 / p);
  write_doubles(out, 0, y);
  return true;
}

// dy, x, y → dx.
bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double p = call.attributes.number("p", 2);
  const auto dy = read_doubles(in[0]), y = read_doubles(in[2]);
  auto x = read_doubles(in[1]);
  const size_t plane = y.empty() ? 0 : x.size() / y.size();
  for (size_t i = 0; i < x.size(); ++i) x[i] = dy[i / plane] * p_norm_slope(x[i], y[i / plane], p);
  write_doubles(out, 0, x);
  return true;
}

void gradient_global_lp_pool(Backward& backward) {
  static const Op grad{.name = "global_lp_pool_grad",
                       .kind = OpKind::pool,
                       .onnx = {},
                       .required_inputs = 3,
                       .infer = like_x,
                       .cost = elementwise_cost<kTranscendental + 3>,
                       .reference = reference_grad,
                       .elementwise = true};
  backward.set(
      0, backward.emit(grad, {backward.gradient(), backward.input(0), backward.output(0)}, backward.attributes()));
}

}  // namespace

const Op& global_lp_pool_op() {
  static const Op op{.name = "global_lp_pool",
                     .kind = OpKind::pool,
                     .onnx = {"GlobalLpPool"},
                     .infer = infer_global_pool,
                     .cost = cost_global_lp_pool,
                     .reference = reference_global_lp_pool,
                     .gradient = gradient_global_lp_pool,
                     .examples = global_pool_examples};
  return op;
}

}  // namespace plimsoll
