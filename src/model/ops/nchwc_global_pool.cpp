// nchwc_global_pool: onnxruntime's pooling of whole planes on channels in blocks (nchwc_conv.cpp). Cost: one operation
// for each number read.
#include "model/ops/example.h"
#include "model/ops/only_weighed.h"
#include "model/ops/pool.h"

namespace plimsoll {
namespace {

std::vector<OpExample> examples_nchwc_global_pool() {
  return {{"planes", {}, {example::f32({2, 8, 4, 4})}, 1, true, false}};
}

}  // namespace

const Op& nchwc_global_pool_op() {
  static const Op op{.name = "nchwc_global_pool",
                     .kind = OpKind::pool,
                     .onnx = {"com.microsoft.nchwc:GlobalMaxPool", "com.microsoft.nchwc:GlobalAveragePool"},
                     .infer = infer_global_pool,
                     .cost = cost_global_pool,
                     .gradient = decline_only_weighed,
                     .examples = examples_nchwc_global_pool};
  return op;
}

}  // namespace plimsoll
