#include "model/ops/random.h"
#include "model/ir/backward.h"

#include <fmt/format.h>

#include "model/ops/example.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

Result<DType> type_of(const OpCall& call, DType fallback) {
  if (!call.attributes.has("dtype")) return fallback;
  return dtype_of_onnx(call.attributes.integer("dtype", 0));
}

Result<std::vector<TensorType>> infer_random(const OpCall& call) {
  const auto sizes = call.attributes.integers("shape");
  for (const int64_t size : sizes)
    if (size < 0) return user_error(fmt::format("the shape {} has a negative size", fmt::join(sizes, "x")));
  PLIM_ASSIGN(const DType type, type_of(call, DType::f32));
  return std::vector{TensorType{type, Shape(sizes)}};
}

Result<std::vector<TensorType>> infer_random_like(const OpCall& call) {
  PLIM_ASSIGN(const DType type, type_of(call, call.dtype(0)));
  return std::vector{TensorType{type, call.shape(0)}};
}

Bytes moved_random(const OpCall& call) { return call.outputs[0].bytes(); }

std::vector<OpExample> examples_random() { return {{"matrix", {{"shape", example::Ints{2, 3}}}, {}}}; }

std::vector<OpExample> examples_random_like() {
  return {{"the same type", {}, {example::f32({2, 3})}},
          {"another type", {{"dtype", int64_t{11}}}, {example::i64({2, 3})}}};
}

}  // namespace

Op random_op(std::string_view name, std::string_view onnx) {
  return {.name = name,
          .onnx = {onnx},
          .required_inputs = 0,
          .infer = infer_random,
          .gradient = no_gradient,
          .examples = examples_random,
          .moved = moved_random,
          .random = true};
}

Op random_like_op(std::string_view name, std::string_view onnx) {
  return {.name = name,
          .onnx = {onnx},
          .infer = infer_random_like,
          .gradient = no_gradient,
          .examples = examples_random_like,
          .moved = moved_random,
          .random = true};
}

}  // namespace plimsoll
