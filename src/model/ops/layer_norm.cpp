// layer_norm: each slice from `axis` on to mean 0 and variance 1, then scale and bias. Mean and
// inverse deviation are optional outputs.
// Cost: 8 an element: two sums, difference, square, normalise, scale and shift.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
#include "model/ops/layer_norm_gradient.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

Result<int> axis_of(const OpCall& call) {
  return normalise_axis(call.attributes.integer("axis", -1), call.shape(0).rank());
}

Result<std::vector<TensorType>> infer_layer_norm(const OpCall& call) {
  PLIM_ASSIGN(int axis, axis_of(call));
  const Shape& x = call.shape(0);
  for (size_t i = 1; i < 3; ++i) {
    if (!call.has(i)) continue;
    const auto joined = broadcast(x, call.shape(i));
    if (!joined.ok() || *joined != x)
      return user_error(fmt::format("{} of shape {} does not broadcast to the input {}", i == 1 ? "scale" : "bias",
                                    call.shape(i).text(), x.text()));
  }
  std::vector<TensorType> outputs{call.type(0)};
  Shape slices = x;
  for (int a = axis; a < x.rank(); ++a) slices[a] = 1;
  const DType stash = call.attributes.integer("stash_type", 1) == 1 ? DType::f32 : call.dtype(0);
  for (size_t i = 1; i < std::min<size_t>(call.output_count(), 3); ++i) outputs.push_back({stash, slices});
  return outputs;
}

bool reference_layer_norm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double epsilon = call.attributes.number("epsilon", 1e-5);
  const Shape& shape = in[0].shape();
  const int axis = *axis_of(call);
  const int64_t slices = shape.elements(0, axis).value(), length = shape.elements(axis, shape.rank()).value();
  auto y = read_doubles(in[0]);
  std::vector<double> mean, inverse;
  for (int64_t s = 0; s < slices; ++s) {
    const Moments slice = normalise(y.data() + s * length, length, epsilon);
    mean.push_back(slice.mean);
    inverse.push_back(slice.inverse_deviation(epsilon));
  }
  for (size_t k = 1; k < 3; ++k) {
    const auto factors = read_doubles(in, k);
    if (k >= in.size() || !in[k].present()) continue;
    broadcast_walk<1>(shape, {&in[k].shape()}, [&](int64_t i, const auto& at) {
      if (k == 1) y[size_t(i)] *= factors[size_t(at[0])];
      else y[size_t(i)] += factors[size_t(at[0])];
    });
  }
  write_doubles(out, 0, y);
  write_doubles(out, 1, mean);
  write_doubles(out, 2, inverse);
  return true;
}

std::vector<OpExample> examples_layer_norm() {
  using example::f32;
  return {{"last axis", {}, {f32({2, 3, 4}), f32({4}), f32({4})}},
          {"two axes, all outputs", {{"axis", int64_t{1}}}, {f32({2, 3, 4}), f32({3, 4})}, 3, true, false}};
}

void gradient_layer_norm(Backward& backward) {
  const ValueId x = backward.input(0), scale = backward.input(1);
  for (size_t i = 1; i < backward.call().output_count(); ++i)
    if (backward.gradient(i).present()) return backward.fail("its mean and deviation have no gradient of their own");
  const auto gradients = backward.emit(layer_norm_grad(), {backward.gradient(), x, scale}, backward.attributes(), 3);
  for (size_t i = 0; i < 2; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
  if (!backward.wants(2)) return;
  const bool alike = backward.call().shape(1) == backward.call().shape(2);
  backward.set(2, alike ? gradients[2] : like_input(backward, 2, backward.gradient()));
}

}  // namespace

const Op& layer_norm_op() {
  static const Op op{.name = "layer_norm",
                     .kind = OpKind::norm,
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {"LayerNormalization"},
                     .roles = "xww",
                     .required_inputs = 2,
                     .infer = infer_layer_norm,
                     .cost = elementwise_cost<8>,
                     .reference = reference_layer_norm,
                     .gradient = gradient_layer_norm,
                     .examples = examples_layer_norm};
  return op;
}

}  // namespace plimsoll
