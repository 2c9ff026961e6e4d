// non_zero: the places of all numbers that are not 0, one column each. How many is up to the data.
#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

// f(offset) for each number that is not 0; false for types without numbers.
template <class F>
bool for_non_zero(DType type, const std::byte* data, int64_t size, F&& f) {
  return for_type(type, [&](auto zero) {
    const auto* x = reinterpret_cast<const decltype(zero)*>(data);
    for (int64_t i = 0; i < size; ++i)
      if (x[i] != decltype(zero)(0)) f(i);
  });
}

Result<std::vector<TensorType>> infer_non_zero(const OpCall& call) {
  int64_t count = 0;
  const Tensor* known = call.constant(0);
  const bool counted =
      known && for_non_zero(known->type.dtype, known->bytes.data(), int64_t(known->size()), [&](int64_t) { ++count; });
  if (!counted) count = call.type(0).elements().value();
  return std::vector{TensorType{DType::i64, Shape{std::max<int64_t>(call.shape(0).rank(), 1), count}}};
}

bool reference_non_zero(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const auto strides = in[0].shape().strides();
  const int64_t count = call.outputs[0].shape[1];
  int64_t column = 0;
  return for_non_zero(in[0].dtype(), in[0].data, in[0].size(), [&](int64_t offset) {
    if (strides.empty()) out[0].as<int64_t>()[column] = 0;  // a scalar counts as a vector of one
    for (size_t axis = 0; axis < strides.size(); ++axis)
      out[0].as<int64_t>()[int64_t(axis) * count + column] = offset / strides[axis] % in[0].shape()[int(axis)];
    ++column;
  });
}

std::vector<OpExample> examples_non_zero() { return {{"matrix", {}, {example::i64({2, 3})}}}; }

}  // namespace

const Op& non_zero_op() {
  static const Op op{.name = "non_zero",
                     .onnx = {"NonZero"},
                     .infer = infer_non_zero,
                     .reference = reference_non_zero,
                     .gradient = no_gradient,
                     .examples = examples_non_zero,
                     .data_dependent = true};
  return op;
}

}  // namespace plimsoll
