// A question about each number of one tensor, answered in bool: is_nan, is_inf. F(attributes) answers f(T).
#pragma once

#include "model/ops/elementwise.h"

namespace plimsoll {

Result<std::vector<TensorType>> same_shape_bool(const OpCall& call);

template <class F>
bool predicate_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const F f(call.attributes);
  return for_float(in[0].dtype(), [&](auto zero) {
    for (int64_t i = 0; i < out[0].size(); ++i) out[0].as<bool>()[i] = f(in[0].as<decltype(zero)>()[i]);
  });
}

template <class F>
Op predicate_op(std::string_view name, std::vector<std::string_view> onnx) {
  Op op;
  op.name = name;
  op.onnx = std::move(onnx);
  op.infer = same_shape_bool;
  op.cost = elementwise_cost<1>;
  op.reference = predicate_reference<F>;
  op.gradient = no_gradient;
  op.examples = unary_examples;
  return op;
}

}  // namespace plimsoll
