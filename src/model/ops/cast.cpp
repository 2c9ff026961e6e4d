// cast: the same numbers in the type `to`, one of ONNX's numbers for types. No arithmetic is counted.
#include "model/ops/convert.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_cast(const OpCall& call) {
  if (!call.attributes.has("to")) return user_error("has no attribute 'to', the type to convert to");
  PLIM_ASSIGN(const DType to, dtype_of_onnx(call.attributes.integer("to", 0)));
  return std::vector{TensorType{to, call.shape(0)}};
}

std::vector<OpExample> examples_cast() {
  return {{"f32 to int64", {{"to", int64_t{7}}}, {{{DType::f32, {2, 3}}}}},
          {"f32 to f64", {{"to", int64_t{11}}}, {{{DType::f32, {2, 3}}}}},
          {"bool to f32", {{"to", int64_t{1}}}, {{{DType::boolean, {2, 3}}}}}};
}

}  // namespace

const Op& cast_op() {
  static const Op op{.name = "cast",
                     .onnx = {"Cast"},
                     .infer = infer_cast,
                     .reference = convert_reference,
                     .gradient = convert_gradient,
                     .examples = examples_cast,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
