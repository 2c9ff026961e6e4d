// Activations fused with the bias before them, as ONNX Runtime's optimizer writes them: f(x + bias), the
// bias a vector as long as x's last axis.
#pragma once

#include "model/ops/elementwise.h"

namespace plimsoll {

Result<std::vector<TensorType>> biased_type(const OpCall& call);
std::vector<OpExample> biased_examples();

// F(attributes) computes f(T) → T and costs F::kFlops; the bias one more.
template <class F>
Cost biased_cost(const OpCall& call) {
  return {{}, as<Flops>(call.outputs[0].elements() * (F::kFlops + (call.has(1) ? 1 : 0)))};
}

template <class F>
bool biased_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const bool biased = in.size() > 1 && in[1].present();
  if (biased && in[1].dtype() != in[0].dtype()) return false;
  const F f(call.attributes);
  return for_float(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* x = in[0].as<T>();
    T* y = out[0].as<T>();
    for (int64_t i = 0; i < out[0].size(); ++i) y[i] = f(biased ? x[i] + in[1].as<T>()[i % in[1].size()] : x[i]);
  });
}

template <class F>
Op biased_op(std::string_view name, std::vector<std::string_view> onnx, size_t required_inputs) {
  Op op;
  op.name = name;
  op.onnx = std::move(onnx);
  op.roles = "xw";
  op.required_inputs = required_inputs;
  op.infer = biased_type;
  op.cost = biased_cost<F>;
  op.reference = biased_reference<F>;
  op.examples = biased_examples;
  op.storage = Storage::in_place;
  return op;
}

}  // namespace plimsoll
