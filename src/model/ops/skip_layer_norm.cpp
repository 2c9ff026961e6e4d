// skip_layer_norm: onnxruntime's layer norm of a sum: input + skip (+ bias, input 4) over the last
// axis, then scale and shift. Optional outputs: mean, inverse deviation, the sum itself.
// Cost: 9 an element: the addition and layer_norm's 8.
#include <fmt/format.h>

#include "model/ops/all_ops.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
#include "model/ops/layer_norm_gradient.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_skip_layer_norm(const OpCall& call) {
  const Shape& x = call.shape(0);
  if (x.rank() < 1) return user_error("the input is a scalar, expected at least a vector");
  const auto joined = broadcast(x, call.shape(1));
  if (!joined.ok() || *joined != x)
    return user_error(
        fmt::format("skip of shape {} does not broadcast to the input {}", call.shape(1).text(), x.text()));
  const Shape width{x[x.rank() - 1]};
  for (size_t i = 2; i < 5; ++i)
    if (call.has(i) && call.shape(i) != width)
      return user_error(fmt::format("input {} has the shape {}, expected {}", i, call.shape(i).text(), width.text()));
  Shape slices = x;
  slices[x.rank() - 1] = 1;
  std::vector<TensorType> outputs{call.type(0), {DType::f32, slices}, {DType::f32, slices}, call.type(0)};
  outputs.resize(std::clamp<size_t>(call.output_count(), 1, 4));
  return outputs;
}

bool reference_skip_layer_norm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double epsilon = call.attributes.number("epsilon", 1e-12);
  const Shape& shape = in[0].shape();
  const int64_t width = shape[shape.rank() - 1];
  auto y = read_doubles(in[0]);
  const auto skip = read_doubles(in[1]), gamma = read_doubles(in[2]), beta = read_doubles(in, 3);
  const auto bias = read_doubles(in, 4);
  broadcast_walk<1>(shape, {&in[1].shape()}, [&](int64_t i, const auto& at) {
    y[size_t(i)] += skip[size_t(at[0])] + (bias.empty() ? 0 : bias[size_t(i % width)]);
  });
  write_doubles(out, 3, y);
  std::vector<double> mean, inverse;
  for (int64_t s = 0; s < int64_t(y.size()); s += width) {
    const Moments slice = normalise(y.data() + s, width, epsilon);
    mean.push_back(slice.mean);
    inverse.push_back(slice.inverse_deviation(epsilon));
    for (int64_t i = 0; i < width; ++i)
      y[size_t(s + i)] = y[size_t(s + i)] * gamma[size_t(i)] + (beta.empty() ? 0 : beta[size_t(i)]);
  }
  write_doubles(out, 0, y);
  write_doubles(out, 1, mean);
  write_doubles(out, 2, inverse);
  return true;
}

// Through the layer norm to the sum, and from there to everything that was added. The sum is added up anew
// unless it is an output.
void gradient_skip_layer_norm(Backward& backward) {
  const auto gradient_of = [&](size_t output) {
    return output < backward.call().output_count() ? backward.gradient(output) : ValueId{};
  };
  if (gradient_of(1).present() || gradient_of(2).present())
    return backward.fail("its mean and deviation have no gradient of their own");
  ValueId dsum = gradient_of(3);
  if (gradient_of(0).present()) {
    ValueId sum = backward.output(3);
    if (!sum.present()) sum = backward.emit(op_named("add"), {backward.input(0), backward.input(1)});
    if (!backward.output(3).present() && backward.input(4).present())
      sum = backward.emit(op_named("add"), {sum, backward.input(4)});
    const double epsilon = backward.attributes().number("epsilon", 1e-12);
    const auto gradients =
        backward.emit(layer_norm_grad(), {backward.gradient(), sum, backward.input(2)}, {{"epsilon", epsilon}}, 3);
    if (backward.wants(2)) backward.set(2, gradients[1]);
    if (backward.wants(3)) backward.set(3, gradients[2]);
    dsum = dsum.present() ? backward.emit(op_named("add"), {dsum, gradients[0]}) : gradients[0];
  }
  for (const size_t i : {0, 1, 4})
    if (backward.wants(i)) backward.set(i, like_input(backward, i, dsum));
}

std::vector<OpExample> examples_skip_layer_norm() {
  using example::f32;
  return {
      {"all inputs and outputs", {}, {f32({2, 3, 4}), f32({2, 3, 4}), f32({4}), f32({4}), f32({4})}, 4, true, false},
      {"all inputs", {{"epsilon", 1e-5}}, {f32({2, 3, 4}), f32({3, 4}), f32({4}), f32({4}), f32({4})}, 1, false},
      {"no shift", {{"epsilon", 1e-5}}, {f32({2, 3, 4}), f32({2, 3, 4}), f32({4})}}};
}

}  // namespace

const Op& skip_layer_norm_op() {
  static const Op op{.name = "skip_layer_norm",
                     .kind = OpKind::norm,
                     .starts = "0010",
                     .onnx = {"com.microsoft:SkipLayerNormalization"},
                     .roles = "xxwww",
                     .required_inputs = 3,
                     .infer = infer_skip_layer_norm,
                     .cost = elementwise_cost<9>,
                     .reference = reference_skip_layer_norm,
                     .gradient = gradient_skip_layer_norm,
                     .examples = examples_skip_layer_norm};
  return op;
}

}  // namespace plimsoll
