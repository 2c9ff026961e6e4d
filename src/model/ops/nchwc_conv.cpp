// nchwc_conv: onnxruntime's convolution on channels in blocks, as its optimizer writes it for one processor. Shapes are
// those of conv, channels rounded up to whole blocks; the weights lie in an order of their own, so that no maths of
// ours runs it. Inputs: x, weights, bias, a tensor to be added. Cost: the products.
#include "model/ops/convolution.h"
#include "model/ops/example.h"
#include "model/ops/only_weighed.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_nchwc_conv(const OpCall& call) {
  PLIM_ASSIGN(const Convolution conv, convolution(call.attributes, call.shape(0), call.shape(1)));
  return std::vector{TensorType{call.dtype(0), conv.output}};
}

Cost cost_nchwc_conv(const OpCall& call) { return convolution_cost(call.outputs[0].shape, call.shape(1)); }

std::vector<OpExample> examples_nchwc_conv() {
  using example::f32;
  return {{"one block", {}, {f32({2, 8, 5, 5}), f32({8, 8, 3, 3}), f32({8})}, 1, true, false}};
}

}  // namespace

const Op& nchwc_conv_op() {
  static const Op op{.name = "nchwc_conv",
                     .kind = OpKind::convolution,
                     .starts = "kka",
                     .onnx = {"com.microsoft.nchwc:Conv"},
                     .roles = "xwwx",
                     .required_inputs = 2,
                     .infer = infer_nchwc_conv,
                     .cost = cost_nchwc_conv,
                     .gradient = decline_only_weighed,
                     .examples = examples_nchwc_conv};
  return op;
}

}  // namespace plimsoll
