// Operations on any number of tensors that broadcast to one shape: sum, mean, min, max. Computed from the
// left, two at a time.
#pragma once

#include "model/ops/elementwise.h"

namespace plimsoll {

std::vector<OpExample> variadic_examples();
int64_t present_inputs(const OpCall& call);  // at least 1

// One operation for each input after the first, and F::kFinish at the end.
template <class F>
Cost variadic_cost(const OpCall& call) {
  return {{}, as<Flops>(call.outputs[0].elements() * (present_inputs(call) - 1 + F::kFinish))};
}

// F::step(T, T) → T joins the next input to what there is, F::finish(T, inputs) → T ends it.
template <class F>
bool variadic_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  for (const auto& input : in)
    if (input.present() && input.dtype() != in[0].dtype()) return false;
  const int64_t inputs = present_inputs(call);
  return for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> y(size_t(out[0].size()));  // the output may lie over any of the inputs
    for (const auto& input : in) {
      if (!input.present()) continue;
      const T* x = input.as<T>();
      const bool first = &input == &in[0];
      broadcast_walk<1>(out[0].shape(), {&input.shape()}, [&](int64_t i, const auto& at) {
        T& so_far = y[size_t(i)];
        so_far = first ? x[at[0]] : F::step(so_far, x[at[0]]);
      });
    }
    for (size_t i = 0; i < y.size(); ++i) out[0].as<T>()[i] = F::finish(y[i], inputs);
  });
}

template <class F>
Op variadic_op(std::string_view name, std::vector<std::string_view> onnx) {
  Op op;
  op.name = name;
  op.onnx = std::move(onnx);
  op.infer = broadcast_type;
  op.cost = variadic_cost<F>;
  op.reference = variadic_reference<F>;
  op.examples = variadic_examples;
  op.storage = Storage::in_place;
  op.elementwise = true;
  return op;
}

// min and max: the whole gradient goes to the first input that the output is equal to, so all of them are kept.
void extreme_gradient(Backward& backward);

template <class F>
Op extreme_op(std::string_view name, std::vector<std::string_view> onnx) {
  Op op = variadic_op<F>(name, std::move(onnx));
  op.storage = Storage::own;
  op.gradient = extreme_gradient;
  return op;
}

}  // namespace plimsoll
