// nchwc_pool: onnxruntime's pooling over a window on channels in blocks (nchwc_conv.cpp). Cost: one operation for each
// number in each window.
#include "model/ops/example.h"
#include "model/ops/only_weighed.h"
#include "model/ops/pool.h"

namespace plimsoll {
namespace {

std::vector<OpExample> examples_nchwc_pool() {
  return {{"pairs",
           {{"kernel_shape", example::Ints{2, 2}}, {"strides", example::Ints{2, 2}}},
           {example::f32({2, 8, 4, 4})},
           1,
           true,
           false}};
}

}  // namespace

const Op& nchwc_pool_op() {
  static const Op op{.name = "nchwc_pool",
                     .kind = OpKind::pool,
                     .onnx = {"com.microsoft.nchwc:MaxPool", "com.microsoft.nchwc:AveragePool"},
                     .infer = infer_pool,
                     .cost = cost_pool,
                     .gradient = decline_only_weighed,
                     .examples = examples_nchwc_pool};
  return op;
}

}  // namespace plimsoll
