// eye_like: a matrix of the input's shape with ones on the k-th diagonal. Needs only the shape.
#include <fmt/format.h>

#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ops/example.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_eye_like(const OpCall& call) {
  if (call.shape(0).rank() != 2) return user_error(fmt::format("expected a matrix, found {}", call.shape(0).text()));
  DType type = call.dtype(0);
  if (call.attributes.has("dtype")) {
    PLIM_ASSIGN(type, dtype_of_onnx(call.attributes.integer("dtype", 0)));
  }
  return std::vector{TensorType{type, call.shape(0)}};
}

bool reference_eye_like(const OpCall& call, std::span<const TensorView>, std::span<const TensorView> out) {
  const int64_t rows = out[0].shape()[0], columns = out[0].shape()[1];
  if (out[0].size() == 0) return true;
  const int64_t k = std::clamp(call.attributes.integer("k", 0), -rows, columns);
  return for_type(out[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) out[0].as<T>()[i * columns + j] = static_cast<T>(j == i + k);
  });
}

Bytes moved_eye_like(const OpCall& call) { return call.outputs[0].bytes(); }

std::vector<OpExample> examples_eye_like() {
  return {{"square", {}, {example::f32({3, 3})}},
          {"integers, above", {{"k", int64_t{1}}, {"dtype", int64_t{7}}}, {example::f32({2, 4})}}};
}

}  // namespace

const Op& eye_like_op() {
  static const Op op{.name = "eye_like",
                     .onnx = {"EyeLike"},
                     .infer = infer_eye_like,
                     .reference = reference_eye_like,
                     .gradient = no_gradient,
                     .examples = examples_eye_like,
                     .moved = moved_eye_like};
  return op;
}

}  // namespace plimsoll
