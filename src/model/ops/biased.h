// Activations fused with the bias before them, as ONNX Runtime's optimizer writes them: f(x + bias), the
// bias a vector as long as x's last axis.
#pragma once

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

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

// dx = dy · f.slope(x + bias), from dy, x and the bias; F::kSlopeFlops operations, the product and the sum.
template <class F>
bool biased_grad_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const F f(call.attributes);
  auto dx = read_doubles(in[0]);
  const auto x = read_doubles(in[1]), bias = read_doubles(in, 2);
  for (size_t i = 0; i < dx.size(); ++i) dx[i] *= f.slope(bias.empty() ? x[i] : x[i] + bias[i % bias.size()]);
  write_doubles(out, 0, dx);
  return true;
}

template <class F>
void biased_gradient(Backward& backward) {
  static const std::string name = std::string(backward.op().name) + "_grad";
  static const Op grad{.name = name,
                       .onnx = {},
                       .roles = "xxw",
                       .required_inputs = 2,
                       .infer = same_type,
                       .cost = elementwise_cost<F::kSlopeFlops + 2>,
                       .reference = biased_grad_reference<F>,
                       .elementwise = true};
  const ValueId dx = backward.emit(grad, {backward.gradient(), backward.input(0), backward.input(1)});
  if (backward.wants(0)) backward.set(0, dx);
  if (backward.wants(1)) backward.set(1, like_input(backward, 1, dx));
}

template <class F>
Op biased_op(std::string_view name, std::vector<std::string_view> onnx, size_t required_inputs) {
  Op op;
  op.name = name;
  op.activation = ActivationKind::rectifier;
  op.starts = "a";
  op.onnx = std::move(onnx);
  op.roles = "xw";
  op.required_inputs = required_inputs;
  op.infer = biased_type;
  op.cost = biased_cost<F>;
  op.reference = biased_reference<F>;
  op.gradient = biased_gradient<F>;
  op.examples = biased_examples;
  op.elementwise = true;
  return op;
}

}  // namespace plimsoll
