// rms_norm: each slice from `axis` on divided by its root mean square, then scaled. onnxruntime's
// simplified layer norm is the same, with the inverse as an optional output.
// Cost: 4 an element: square, sum, normalise, scale.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

Result<int> axis_of(const OpCall& call) {
  return normalise_axis(call.attributes.integer("axis", -1), call.shape(0).rank());
}

Result<std::vector<TensorType>> infer_rms_norm(const OpCall& call) {
  PLIM_ASSIGN(int axis, axis_of(call));
  const Shape& x = call.shape(0);
  const auto joined = broadcast(x, call.shape(1));
  if (!joined.ok() || *joined != x)
    return user_error(
        fmt::format("scale of shape {} does not broadcast to the input {}", call.shape(1).text(), x.text()));
  std::vector<TensorType> outputs{call.type(0)};
  Shape slices = x;
  for (int a = axis; a < x.rank(); ++a) slices[a] = 1;
  if (call.output_count() > 1) outputs.push_back({DType::f32, slices});
  return outputs;
}

bool reference_rms_norm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double epsilon = call.attributes.number("epsilon", 1e-5);
  const Shape& shape = in[0].shape();
  const int axis = *axis_of(call);
  const int64_t slices = shape.elements(0, axis).value(), length = shape.elements(axis, shape.rank()).value();
  auto y = read_doubles(in[0]);
  const auto scale = read_doubles(in[1]);
  std::vector<double> inverse;
  for (int64_t s = 0; s < slices; ++s) {
    double squares = 0;
    for (int64_t i = s * length; i < (s + 1) * length; ++i) squares += y[size_t(i)] * y[size_t(i)];
    inverse.push_back(1 / std::sqrt(squares / double(length) + epsilon));
  }
  broadcast_walk<1>(shape, {&in[1].shape()}, [&](int64_t i, const auto& at) {
    y[size_t(i)] *= inverse[size_t(i / length)] * scale[size_t(at[0])];
  });
  write_doubles(out, 0, y);
  write_doubles(out, 1, inverse);
  return true;
}

std::vector<OpExample> examples_rms_norm() {
  using example::f32;
  return {{"last axis", {}, {f32({2, 3, 4}), f32({4})}},
          {"two axes", {{"axis", int64_t{1}}}, {f32({2, 3, 4}), f32({3, 4})}, 2}};
}

}  // namespace

const Op& rms_norm_op() {
  static const Op op{
      .name = "rms_norm",
      .onnx = {"RMSNormalization", "SimplifiedLayerNormalization", "com.microsoft:SimplifiedLayerNormalization"},
      .roles = "xw",
      .required_inputs = 2,
      .infer = infer_rms_norm,
      .cost = elementwise_cost<4>,
      .reference = reference_rms_norm,
      .examples = examples_rms_norm};
  return op;
}

}  // namespace plimsoll
