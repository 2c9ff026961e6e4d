// What the reductions share: which axes go, the shape that is left, and one walk over the input. A reduction
// is broadcasting read backwards: many inputs meet at one output.
#pragma once

#include "model/ops/elementwise.h"
#include "model/ops/extremes.h"
#include "model/ops/saturating.h"
#include "model/ops/wrapping.h"

namespace plimsoll {

// `kept` is the input's shape with 1 for every axis that goes, `out` what keepdims makes of it.
struct Reduction {
  Shape kept, out;
};

// Reads `axes` (an attribute, or input 1; none: all of them), keepdims and noop_with_empty_axes.
Result<Reduction> read_reduction(const OpCall& call);

Result<std::vector<TensorType>> reduced_type(const OpCall& call);
std::vector<OpExample> reduce_examples();

// `per_element` operations for each element of the INPUT; what is done once at the end is not counted.
template <int per_element>
Cost reduce_cost(const OpCall& call) {
  return {{}, as<Flops>(call.type(0).elements() * per_element)};
}

// Floats are summed up as double, integers as themselves and wrapping.
template <class T>
using Sum = std::conditional_t<std::is_floating_point_v<T>, double, T>;

// R<T> is the state of one output: add(x) for each of its inputs, then result(how many) once.
template <template <class> class R, Numbers kind>
bool reduce_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Reduction reduction = *read_reduction(call);
  const int64_t outputs = out[0].size();
  const int64_t count = outputs == 0 ? 0 : in[0].size() / outputs;
  return for_kind<kind>(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* x = in[0].as<T>();
    std::vector<R<T>> states(static_cast<size_t>(outputs));
    broadcast_walk<1>(in[0].shape(), {&reduction.kept},
                      [&](int64_t i, const auto& at) { states[size_t(at[0])].add(x[i]); });
    for (int64_t i = 0; i < outputs; ++i) out[0].as<T>()[i] = states[size_t(i)].result(count);
  });
}

template <template <class> class R, Numbers kind, int per_element>
Op reduce_op(std::string_view name, std::vector<std::string_view> onnx) {
  Op op;
  op.name = name;
  op.kind = OpKind::reduction;
  op.onnx = std::move(onnx);
  op.roles = "xc";
  op.infer = reduced_type;
  op.cost = reduce_cost<per_element>;
  op.reference = reduce_reference<R, kind>;
  op.examples = reduce_examples;
  return op;
}

}  // namespace plimsoll
