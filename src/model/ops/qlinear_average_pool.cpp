// qlinear_average_pool: means over a window of quantised numbers, quantised again. Inputs: x, scale, zero point, scale
// and zero point of the result. Cost: one addition for each number in each window.
#include "model/ops/example.h"
#include "model/ops/pool.h"
#include "model/ops/qlinear.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_qlinear_average_pool(const OpCall& call) {
  if (call.attributes.integer("channels_last", 0) != 0)
    return undetermined("pooling with channels last is not understood");
  return infer_pool(call);
}

std::vector<OpExample> examples_qlinear_average_pool() {
  using example::f32;
  const auto u8 = quantised_input;
  return {{"pairs",
           {{"kernel_shape", example::Ints{2, 2}}, {"strides", example::Ints{2, 2}}},
           {u8({2, 3, 4, 4}), f32({}), u8({}), f32({}), u8({})},
           1,
           true,
           false}};
}

}  // namespace

const Op& qlinear_average_pool_op() {
  static const Op op = [] {
    Op pool = qlinear_unary("qlinear_average_pool", "com.microsoft:QLinearAveragePool", cost_pool);
    pool.kind = OpKind::pool;
    pool.infer = infer_qlinear_average_pool;
    pool.examples = examples_qlinear_average_pool;
    return pool;
  }();
  return op;
}

}  // namespace plimsoll
