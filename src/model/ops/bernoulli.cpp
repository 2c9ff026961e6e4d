// bernoulli: 1 with the probability x, else 0, drawn anew in every run; `dtype` is one of ONNX's numbers for types.
#include "model/ir/backward.h"
#include "model/ops/elementwise.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_bernoulli(const OpCall& call) {
  if (!call.attributes.has("dtype")) return same_type(call);
  PLIM_ASSIGN(const DType type, dtype_of_onnx(call.attributes.integer("dtype", 0)));
  return std::vector{TensorType{type, call.shape(0)}};
}

std::vector<OpExample> examples_bernoulli() {
  return {{"like its input", {}, {{{DType::f32, {2, 3}}}}},
          {"as bool", {{"dtype", int64_t{9}}}, {{{DType::f32, {2, 3}}}}}};
}

}  // namespace

const Op& bernoulli_op() {
  static const Op op{.name = "bernoulli",
                     .onnx = {"Bernoulli"},
                     .infer = infer_bernoulli,
                     .cost = elementwise_cost<1>,
                     .gradient = no_gradient,
                     .examples = examples_bernoulli,
                     .random = true};
  return op;
}

}  // namespace plimsoll
