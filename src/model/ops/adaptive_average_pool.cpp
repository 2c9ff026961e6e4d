// adaptive_average_pool: the mean of each bin (adaptive_pool.h), to the size that output_size states.
#include "model/ops/adaptive_pool.h"
#include "model/ops/doubles.h"
#include "model/ops/gradient.h"
#include "model/ops/pool_gradient.h"

namespace plimsoll {
namespace {

bool reference_adaptive_average_pool(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  pool_walk(in[0].shape(), out[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    double sum = 0;
    int64_t count = 0;
    for_bin(in[0].shape(), out[0].shape(), at, [&](int64_t offset) {
      sum += x[size_t(plane + offset)];
      ++count;
    });
    y[size_t(i)] = sum / double(count);
  });
  write_doubles(out, 0, y);
  return true;
}

void gradient_adaptive_average_pool(Backward& backward) {
  backward.set(0, backward.emit(adaptive_average_pool_grad(), {backward.gradient()},
                                {{"input_shape", sizes_of(backward.call().shape(0))}}));
}

}  // namespace

const Op& adaptive_average_pool_op() {
  static const Op op{.name = "adaptive_average_pool",
                     .kind = OpKind::pool,
                     .onnx = {},
                     .infer = infer_adaptive_pool,
                     .cost = cost_adaptive_pool,
                     .reference = reference_adaptive_average_pool,
                     .gradient = gradient_adaptive_average_pool,
                     .examples = adaptive_pool_examples};
  return op;
}

}  // namespace plimsoll
