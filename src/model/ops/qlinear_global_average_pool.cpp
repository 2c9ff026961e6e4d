// qlinear_global_average_pool: the mean of each plane of quantised numbers, quantised again. Inputs: x, scale, zero
// point, scale and zero point of the result. Cost: one addition for each number read.
#include "model/ops/pool.h"
#include "model/ops/qlinear.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_qlinear_global_average_pool(const OpCall& call) {
  if (call.attributes.integer("channels_last", 0) == 0) return infer_global_pool(call);
  Shape shape = call.shape(0);
  for (int axis = 1; axis + 1 < shape.rank(); ++axis) shape[axis] = 1;
  return std::vector{TensorType{call.dtype(0), shape}};
}

}  // namespace

const Op& qlinear_global_average_pool_op() {
  static const Op op = [] {
    Op pool = qlinear_unary("qlinear_global_average_pool", "com.microsoft:QLinearGlobalAveragePool", cost_global_pool);
    pool.kind = OpKind::pool;
    pool.infer = infer_qlinear_global_average_pool;
    return pool;
  }();
  return op;
}

}  // namespace plimsoll
