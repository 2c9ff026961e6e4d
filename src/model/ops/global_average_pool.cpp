// global_average_pool: the mean of each plane, whatever its size. Cost: one addition for each number read.
#include "model/ops/doubles.h"
#include "model/ops/gradient.h"
#include "model/ops/pool.h"
#include "model/ops/pool_gradient.h"

namespace plimsoll {
namespace {

bool reference_global_average_pool(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const int64_t plane = in[0].shape().elements(2, in[0].shape().rank()).value();
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  for (int64_t p = 0; p < int64_t(y.size()); ++p) {
    double result = 0;
    for (int64_t i = 0; i < plane; ++i) result += x[size_t(p * plane + i)];
    y[size_t(p)] = result / double(plane);
  }
  write_doubles(out, 0, y);
  return true;
}

void gradient_global_average_pool(Backward& backward) {
  backward.set(0, backward.emit(global_average_pool_grad(), {backward.gradient()},
                                {{"input_shape", sizes_of(backward.call().shape(0))}}));
}

}  // namespace

const Op& global_average_pool_op() {
  static const Op op{.name = "global_average_pool",
                     .kind = OpKind::pool,
                     .onnx = {"GlobalAveragePool"},
                     .infer = infer_global_pool,
                     .cost = cost_global_pool,
                     .reference = reference_global_average_pool,
                     .gradient = gradient_global_average_pool,
                     .examples = global_pool_examples};
  return op;
}

}  // namespace plimsoll
