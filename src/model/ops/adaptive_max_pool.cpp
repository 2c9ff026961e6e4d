// adaptive_max_pool: the largest number of each bin (adaptive_pool.h), to the size that output_size
// states; on request also where in its plane it was, as torch counts.
#include <limits>

#include "model/ops/adaptive_pool.h"
#include "model/ops/doubles.h"
#include "model/ops/plane_max_training.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_adaptive_max_pool(const OpCall& call) {
  PLIM_ASSIGN(std::vector<TensorType> outputs, infer_adaptive_pool(call));
  if (call.output_count() > 1) outputs.push_back({DType::i64, outputs[0].shape});
  return outputs;
}

bool reference_adaptive_max_pool(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()), -std::numeric_limits<double>::infinity()), where(y.size());
  pool_walk(in[0].shape(), out[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    for_bin(in[0].shape(), out[0].shape(), at, [&](int64_t offset) {
      if (!(x[size_t(plane + offset)] > y[size_t(i)])) return;
      y[size_t(i)] = x[size_t(plane + offset)];
      where[size_t(i)] = double(offset);
    });
  });
  write_doubles(out, 0, y);
  write_doubles(out, 1, where);
  return true;
}

}  // namespace

const Op& adaptive_max_pool_op() {
  static const Op op{.name = "adaptive_max_pool",
                     .kind = OpKind::pool,
                     .onnx = {},
                     .infer = infer_adaptive_max_pool,
                     .cost = cost_adaptive_pool,
                     .reference = reference_adaptive_max_pool,
                     .examples = adaptive_pool_examples,
                     .training = adaptive_max_pool_train};
  return op;
}

}  // namespace plimsoll
