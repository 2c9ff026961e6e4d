// global_max_pool: the largest number of each plane, whatever its size. Cost: one comparison for each number read.
#include <limits>

#include "model/ops/doubles.h"
#include "model/ops/plane_max_training.h"
#include "model/ops/pool.h"

namespace plimsoll {
namespace {

bool reference_global_max_pool(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const int64_t plane = in[0].shape().elements(2, in[0].shape().rank()).value();
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  for (int64_t p = 0; p < int64_t(y.size()); ++p) {
    double result = -std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < plane; ++i) result = std::max(result, x[size_t(p * plane + i)]);
    y[size_t(p)] = result;
  }
  write_doubles(out, 0, y);
  return true;
}

}  // namespace

const Op& global_max_pool_op() {
  static const Op op{.name = "global_max_pool",
                     .kind = OpKind::pool,
                     .onnx = {"GlobalMaxPool"},
                     .infer = infer_global_pool,
                     .cost = cost_global_pool,
                     .reference = reference_global_max_pool,
                     .examples = global_pool_examples,
                     .training = global_max_pool_train};
  return op;
}

}  // namespace plimsoll
