// cast_like: the numbers of input 0 in the type of input 1, of which nothing else is read.
#include "model/ops/convert.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_cast_like(const OpCall& call) {
  return std::vector{TensorType{call.dtype(1), call.shape(0)}};
}

Bytes moved_cast_like(const OpCall& call) { return call.type(0).bytes() + call.outputs[0].bytes(); }

std::vector<OpExample> examples_cast_like() {
  return {{"f32 to int32", {}, {{{DType::f32, {2, 3}}}, {{DType::i32, {1}}}}},
          {"f32 to f64", {}, {{{DType::f32, {2, 3}}}, {{DType::f64, {1}}}}}};
}

}  // namespace

const Op& cast_like_op() {
  static const Op op{.name = "cast_like",
                     .onnx = {"CastLike"},
                     .required_inputs = 2,
                     .infer = infer_cast_like,
                     .reference = convert_reference,
                     .gradient = convert_gradient,
                     .examples = examples_cast_like,
                     .elementwise = true,
                     .moved = moved_cast_like};
  return op;
}

}  // namespace plimsoll
