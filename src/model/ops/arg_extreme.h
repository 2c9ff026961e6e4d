// What arg_max and arg_min share: where along one axis the extreme number stands.
#pragma once

#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {

Result<std::vector<TensorType>> arg_extreme_type(const OpCall& call);
std::vector<OpExample> arg_extreme_examples();

// One comparison for each element of the input.
Cost arg_extreme_cost(const OpCall& call);

// The numbers to choose from, and how far apart they stand; the shape rule has passed.
struct AxisWalk {
  int64_t size, stride;
};
AxisWalk arg_extreme_axis(const OpCall& call);

// Better{}(a, b): a replaces b. The first not-a-number is the extreme, as in a reduction.
template <class Better>
bool arg_extreme_reference(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const auto [size, stride] = arg_extreme_axis(call);
  const bool last = call.attributes.integer("select_last_index", 0) != 0;
  return for_number(in[0].dtype(), [&, size = size, stride = stride](auto zero) {
    using T = decltype(zero);
    const auto replaces = [&](T a, T b) {
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(b);
      return Better{}(a, b) || (last && a == b);
    };
    for (int64_t i = 0; i < out[0].size(); ++i) {
      const T* line = in[0].as<T>() + i / stride * size * stride + i % stride;
      int64_t best = 0;
      for (int64_t k = 1; k < size; ++k)
        if (replaces(line[k * stride], line[best * stride])) best = k;
      out[0].as<int64_t>()[i] = best;
    }
  });
}

template <class Better>
Op arg_extreme_op(std::string_view name, std::vector<std::string_view> onnx) {
  Op op;
  op.name = name;
  op.onnx = std::move(onnx);
  op.infer = arg_extreme_type;
  op.cost = arg_extreme_cost;
  op.reference = arg_extreme_reference<Better>;
  op.gradient = no_gradient;
  op.examples = arg_extreme_examples;
  return op;
}

}  // namespace plimsoll
