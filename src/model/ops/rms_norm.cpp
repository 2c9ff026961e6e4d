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

// dy, x, scale → dx, dscale. With r the inverse root mean square of a slice and d = dy · scale:
// dx = r · (d - r² · x · mean(d · x)). 12 an element: r (2), dscale (3), d, its sum with x (2), dx (4).
bool reference_rms_norm_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape& shape = in[1].shape();
  const int axis = *normalise_axis(call.attributes.integer("axis", -1), shape.rank());
  const auto length = size_t(shape.elements(axis, shape.rank()).value());
  auto dx = read_doubles(in[0]);
  const auto x = read_doubles(in[1]), scale = read_doubles(in[2]);
  std::vector<double> inverse(length == 0 ? 0 : x.size() / length), along(inverse.size()), dscale(scale.size());
  for (size_t i = 0; i < x.size(); ++i) inverse[i / length] += x[i] * x[i] / double(length);
  for (double& number : inverse) number = 1 / std::sqrt(number + call.attributes.number("epsilon", 1e-5));
  broadcast_walk<1>(shape, {&in[2].shape()}, [&](int64_t at, const auto& to) {
    const auto i = size_t(at), k = size_t(to[0]);
    dscale[k] += dx[i] * x[i] * inverse[i / length];
    dx[i] *= scale[k];
    along[i / length] += dx[i] * x[i];
  });
  for (size_t i = 0; i < x.size(); ++i) {
    const double r = inverse[i / length];
    dx[i] = r * (dx[i] - r * r * x[i] * along[i / length] / double(length));
  }
  write_doubles(out, 0, dx);
  write_doubles(out, 1, dscale);
  return true;
}

Result<std::vector<TensorType>> infer_rms_norm_grad(const OpCall& call) {
  PLIM_TRY(normalise_axis(call.attributes.integer("axis", -1), call.shape(1).rank()));
  if (call.shape(0) != call.shape(1)) return user_error("the gradient is not of the input's shape");
  return std::vector{call.type(0), call.type(2)};
}

const Op& rms_norm_grad() {
  static const Op op{.name = "rms_norm_grad",
                     .kind = OpKind::norm,
                     .onnx = {},
                     .roles = "xxw",
                     .required_inputs = 3,
                     .infer = infer_rms_norm_grad,
                     .cost = elementwise_cost<12>,
                     .reference = reference_rms_norm_grad,
                     .elementwise = true};
  return op;
}

void gradient_rms_norm(Backward& backward) {
  if (backward.call().output_count() > 1 && backward.gradient(1).present())
    return backward.fail("its root mean square has no gradient of its own");
  const auto gradients = backward.emit(rms_norm_grad(), {backward.gradient(), backward.input(0), backward.input(1)},
                                       backward.attributes(), 2);
  for (size_t i = 0; i < 2; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

std::vector<OpExample> examples_rms_norm() {
  using example::f32;
  return {{"last axis", {}, {f32({2, 3, 4}), f32({4})}},
          {"two axes", {{"axis", int64_t{1}}}, {f32({2, 3, 4}), f32({3, 4})}},
          {"the inverse too", {}, {f32({2, 3, 4}), f32({4})}, 2, true, false}};
}

}  // namespace

const Op& rms_norm_op() {
  static const Op op{
      .name = "rms_norm",
      .kind = OpKind::norm,
      .starts = "010",
      .onnx = {"RMSNormalization", "SimplifiedLayerNormalization", "com.microsoft:SimplifiedLayerNormalization"},
      .roles = "xw",
      .required_inputs = 2,
      .infer = infer_rms_norm,
      .cost = elementwise_cost<4>,
      .reference = reference_rms_norm,
      .gradient = gradient_rms_norm,
      .examples = examples_rms_norm};
  return op;
}

}  // namespace plimsoll
