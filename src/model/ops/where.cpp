// where: a where the condition holds, else b, all three broadcast. A choice, so no arithmetic is counted.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_where(const OpCall& call) {
  PLIM_ASSIGN(auto types, broadcast_type(call));
  types[0].dtype = call.dtype(1);
  return types;
}

bool reference_where(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (in[0].dtype() != DType::boolean || in[1].dtype() != in[2].dtype()) return false;
  return for_type(in[1].dtype(), [&](auto zero) {
    using T = decltype(zero);
    broadcast_walk<3>(out[0].shape(), {&in[0].shape(), &in[1].shape(), &in[2].shape()}, [&](int64_t i, const auto& at) {
      out[0].as<T>()[i] = in[0].as<bool>()[at[0]] ? in[1].as<T>()[at[1]] : in[2].as<T>()[at[2]];
    });
  });
}

std::vector<OpExample> examples_where() {
  return {{"mask", {}, {{{DType::boolean, {2, 1, 4}}}, {{DType::f32, {2, 3, 4}}}, {{DType::f32, {}}}}},
          {"integers", {}, {{{DType::boolean, {2}}}, {{DType::i64, {2}}}, {{DType::i64, {2}}}}}};
}

}  // namespace

const Op& where_op() {
  static const Op op{.name = "where",
                     .onnx = {"Where"},
                     .required_inputs = 3,
                     .infer = infer_where,
                     .reference = reference_where,
                     .examples = examples_where};
  return op;
}

}  // namespace plimsoll
