// The backward pass through a reduction: a gradient of the output's shape meets many inputs at each place.
//   <reduction>_grad: dy, x (, y) → dx; attribute "kept_shape": x's shape with 1 for every axis that goes.
#pragma once

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"

namespace plimsoll {

// `value`, of the output's shape, at every input that it was reduced from.
ValueId spread_back(Backward& backward, ValueId value);

// The same with 1 for every axis that went, so that it broadcasts to the input.
ValueId with_kept_axes(Backward& backward, ValueId value);

// How many numbers meet at one output; at least 1.
double numbers_per_output(const OpCall& call);

Op reduce_grad_op(std::string_view name, Reference reference, CostRule cost);
void emit_reduce_grad(Backward& backward, const Op& grad, bool reads_output);
Shape kept_shape(const OpCall& call);

// dx = dy · F::slope(x, y), at F::kSlopeFlops operations; y is read with F::kReadsOutput.
template <class F>
bool reduce_slope_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), y = read_doubles(in, 2);
  auto x = read_doubles(in[1]);
  const Shape kept = kept_shape(call);
  broadcast_walk<1>(in[1].shape(), {&kept}, [&](int64_t i, const auto& at) {
    const auto to = size_t(at[0]);
    x[size_t(i)] = dy[to] * F::slope(x[size_t(i)], y.empty() ? 0 : y[to]);
  });
  write_doubles(out, 0, x);
  return true;
}

template <class F>
void reduce_gradient(Backward& backward) {
  static const std::string name = std::string(backward.op().name) + "_grad";
  static const Op grad = reduce_grad_op(name, reduce_slope_reference<F>, elementwise_cost<F::kSlopeFlops + 1>);
  emit_reduce_grad(backward, grad, F::kReadsOutput);
}

// Of reduce_max and reduce_min: dy where x is y, in equal parts where several are.
void reduce_extreme_gradient(Backward& backward);

}  // namespace plimsoll
