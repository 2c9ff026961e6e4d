// constant_of_shape: one number, repeated over a shape that an input gives.
#include <fmt/format.h>

#include <cstring>

#include "model/ir/backward.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_constant_of_shape(const OpCall& call) {
  PLIM_ASSIGN(auto sizes, call.integers("shape", 0));
  for (const int64_t size : *sizes)
    if (size < 0) return user_error(fmt::format("the shape {} has a negative size", fmt::join(*sizes, "x")));
  const TensorPtr value = call.attributes.tensor("value");
  if (value && value->type.elements() != Count(1))
    return user_error(fmt::format("the value has the shape {}, expected one number", value->type.shape.text()));
  return std::vector{TensorType{value ? value->type.dtype : DType::f32, Shape(std::move(*sizes))}};
}

bool reference_constant_of_shape(const OpCall& call, std::span<const TensorView>, std::span<const TensorView> out) {
  const TensorPtr value = call.attributes.tensor("value");
  const size_t size = element_size(out[0].dtype());
  const std::vector<std::byte> number = value ? value->bytes : std::vector<std::byte>(size);
  if (number.size() < size) return false;
  for (size_t i = 0; i < size_t(out[0].size()); ++i) std::memcpy(out[0].data + i * size, number.data(), size);
  return true;
}

Bytes moved_constant_of_shape(const OpCall& call) { return call.outputs[0].bytes(); }

std::vector<OpExample> examples_constant_of_shape() {
  const auto one = std::make_shared<const Tensor>(integer_tensor({1}));
  return {{"zeros", {}, {example::ints({2, 3})}},
          {"ones", {{"value", one}}, {example::ints({4})}},
          {"a scalar", {}, {example::ints({})}}};
}

}  // namespace

const Op& constant_of_shape_op() {
  static const Op op{.name = "constant_of_shape",
                     .onnx = {"ConstantOfShape"},
                     .roles = "c",
                     .infer = infer_constant_of_shape,
                     .reference = reference_constant_of_shape,
                     .gradient = no_gradient,
                     .examples = examples_constant_of_shape,
                     .moved = moved_constant_of_shape};
  return op;
}

}  // namespace plimsoll
