// What element-wise operations share: shape and cost rules, and reference maths made from a
// small functor that computes one element.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ir/op.h"

namespace plimsoll {

// Visits the elements of `out` in row-major order with the offset of each operand's element
// under broadcasting: f(out_offset, operand_offsets).
template <size_t N, class F>
void broadcast_walk(const Shape& out, const std::array<const Shape*, N>& operands, F&& f) {
  const int rank = out.rank();
  std::array<std::vector<int64_t>, N> strides;
  for (size_t k = 0; k < N; ++k) {
    const auto own = operands[k]->strides();
    strides[k].assign(size_t(rank), 0);
    const int lead = rank - operands[k]->rank();
    for (int axis = lead; axis < rank; ++axis)
      if ((*operands[k])[axis - lead] != 1) strides[k][size_t(axis)] = own[size_t(axis - lead)];
  }
  std::vector<int64_t> index(size_t(rank), 0);
  std::array<int64_t, N> offsets{};
  const int64_t total = out.elements().value();
  for (int64_t i = 0; i < total; ++i) {
    f(i, offsets);
    for (int axis = rank - 1; axis >= 0; --axis) {
      for (size_t k = 0; k < N; ++k) offsets[k] += strides[k][size_t(axis)];
      if (++index[size_t(axis)] < out[axis]) break;
      for (size_t k = 0; k < N; ++k) offsets[k] -= strides[k][size_t(axis)] * out[axis];
      index[size_t(axis)] = 0;
    }
  }
}

Result<std::vector<TensorType>> same_type(const OpCall& call);       // output 0 is like input 0
Result<std::vector<TensorType>> broadcast_type(const OpCall& call);  // all inputs, broadcast; type of input 0
Result<std::vector<TensorType>> broadcast_bool(const OpCall& call);  // the same, as bool

// f32 examples: one and two inputs, two with broadcasting.
std::vector<OpExample> unary_examples();
std::vector<OpExample> binary_examples();
std::vector<OpExample> integer_binary_examples();
std::vector<OpExample> bool_binary_examples();

std::vector<OpExample> integer_unary_examples();

// What an exponential, logarithm, power, error, trigonometric or hyperbolic function (the sigmoid
// too) counts for: a handful of multiply-adds in any implementation. Sums, products, quotients, roots,
// comparisons and roundings count 1; choosing, copying and converting numbers 0.
inline constexpr int kTranscendental = 4;

// `per_element` arithmetic operations for each element of output 0.
template <int per_element>
Cost elementwise_cost(const OpCall& call) {
  return {{}, as<Flops>(call.outputs[0].elements() * per_element)};
}

// F(attributes) is a functor for one element: f(T) → T. F::kFlops operations an element;
// F::kIntegers: integers have it too; F::kInPlace: its gradient follows from its output alone, so
// that it may overwrite its input even in training. f.slope(T) → T is the derivative at an input x, or
// with F::kInPlace or F::kSlopeFromOutput at an output y; F::kSlopeFlops its operations.
// f.output_tells_slope(), where it is there, says whether these attributes let y tell it.
template <class F>
bool unary_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const F f(call.attributes);
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    const T* x = in[0].as<T>();
    T* y = out[0].as<T>();
    for (int64_t i = 0; i < out[0].size(); ++i) y[i] = static_cast<T>(f(x[i]));
  };
  if constexpr (F::kIntegers) return for_number(in[0].dtype(), run);
  else return for_float(in[0].dtype(), run);
}

// dx = dy · slope, from dy and from x or y.
template <class F>
bool slope_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const F f(call.attributes);
  if (in[0].dtype() != in[1].dtype()) return false;
  return for_float(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < out[0].size(); ++i)
      out[0].as<T>()[i] = in[0].as<T>()[i] * static_cast<T>(f.slope(in[1].as<T>()[i]));
  });
}

// F::kActivation, where F is an activation function.
template <class F>
constexpr ActivationKind activation_of() {
  if constexpr (requires { F::kActivation; }) return F::kActivation;
  else return ActivationKind::none;
}

// The backward operation of the unary op of that name: relu_grad.
template <class F>
const Op& unary_grad(std::string_view forward) {
  static const std::string name = std::string(forward) + "_grad";
  static const Op op{.name = name,
                     .slope_of = activation_of<F>(),
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = same_type,
                     .cost = elementwise_cost<F::kSlopeFlops + 1>,
                     .reference = slope_reference<F>,
                     .elementwise = true};
  return op;
}

template <class F>
void unary_gradient(Backward& backward) {
  if constexpr (requires(const F& f) { f.output_tells_slope(); })
    if (!F(backward.attributes()).output_tells_slope())
      return backward.fail("with these settings its slope does not follow from its output");
  const bool from_output = requires { F::kInPlace; }
  || requires { F::kSlopeFromOutput; };
  const ValueId at = from_output ? backward.output(0) : backward.input(0);
  backward.set(0, backward.emit(unary_grad<F>(backward.op().name), {backward.gradient(), at}, backward.attributes()));
}

template <class F>
Op unary_op(std::string_view name, std::vector<std::string_view> onnx) {
  Op op;
  op.name = name;
  op.activation = activation_of<F>();
  op.onnx = std::move(onnx);
  op.infer = same_type;
  op.cost = elementwise_cost<F::kFlops>;
  op.reference = unary_reference<F>;
  op.examples = unary_examples;
  op.elementwise = true;
  if constexpr (requires { F::kInPlace; }) op.storage = Storage::in_place;
  if constexpr (requires { F::kSlopeFlops; }) op.gradient = unary_gradient<F>;
  return op;
}

// F(attributes) computes f(T, T) → Out(T); kKind says which types have it.
enum class Numbers { floating, integer, number, boolean, any };

template <Numbers kind, class F>
bool for_kind(DType type, F&& f) {
  if constexpr (kind == Numbers::floating) return for_float(type, f);
  else if constexpr (kind == Numbers::integer) return for_integer(type, f);
  else if constexpr (kind == Numbers::number) return for_number(type, f);
  else if constexpr (kind == Numbers::any) return for_type(type, f);
  else {
    if (type != DType::boolean) return false;
    f(bool{});
    return true;
  }
}

template <class F, bool to_bool>
bool binary_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (in[0].dtype() != in[1].dtype()) return false;
  const F f(call.attributes);
  return for_kind<F::kNumbers>(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    using Y = std::conditional_t<to_bool, bool, T>;
    const T* a = in[0].as<T>();
    const T* b = in[1].as<T>();
    Y* y = out[0].as<Y>();
    // Of one shape, or one number with all of the other: most of what is folded, and the largest of it.
    const bool all_a = in[0].shape() == out[0].shape(), all_b = in[1].shape() == out[0].shape();
    const bool one_a = in[0].size() == 1, one_b = in[1].size() == 1;
    if ((all_a || one_a) && (all_b || one_b)) {
      const int64_t size = out[0].size(), step_a = all_a ? 1 : 0, step_b = all_b ? 1 : 0;
      for (int64_t i = 0; i < size; ++i) y[i] = static_cast<Y>(f(a[i * step_a], b[i * step_b]));
      return;
    }
    broadcast_walk<2>(out[0].shape(), {&in[0].shape(), &in[1].shape()},
                      [&](int64_t i, const auto& at) { y[i] = static_cast<Y>(f(a[at[0]], b[at[1]])); });
  });
}

// Arithmetic on two tensors: add, mul …
template <class F>
Op binary_op(std::string_view name, std::vector<std::string_view> onnx) {
  Op op;
  op.name = name;
  op.onnx = std::move(onnx);
  op.required_inputs = 2;
  op.infer = broadcast_type;
  op.elementwise = true;
  op.cost = elementwise_cost<F::kFlops>;
  op.reference = binary_reference<F, false>;
  op.examples = F::kNumbers == Numbers::boolean   ? bool_binary_examples
                : F::kNumbers == Numbers::integer ? integer_binary_examples
                                                  : binary_examples;
  if constexpr (F::kNumbers == Numbers::boolean || F::kNumbers == Numbers::integer) op.gradient = no_gradient;
  return op;
}

// A question about two tensors, answered in bool: equal, less …
template <class F>
Op comparison_op(std::string_view name, std::vector<std::string_view> onnx) {
  Op op = binary_op<F>(name, std::move(onnx));
  op.infer = broadcast_bool;
  op.reference = binary_reference<F, true>;
  op.gradient = no_gradient;
  return op;
}

}  // namespace plimsoll
