// batch_norm: (x - mean) / sqrt(variance + epsilon) · scale + bias, per channel. The statistics are
// the stored ones; with training_mode they are the batch's own and the stored ones move by momentum.
// Cost: 2 an element with stored statistics (scale and shift, folded together), 8 when they are
// computed: two sums, square, difference, scale and shift.
#include <fmt/format.h>

#include "model/ops/batch_norm_training.h"
#include "model/ops/doubles.h"
#include "model/ops/gradient.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

bool training(const OpCall& call) { return call.attributes.integer("training_mode", 0) != 0; }

// Before opset 9 spatial = 0 asked for statistics of every position instead of every channel.
Shape statistics_shape(const OpCall& call) {
  const Shape& x = call.shape(0);
  if (x.rank() < 2) return Shape{1};
  if (call.attributes.integer("spatial", 1) != 0) return Shape{x[1]};
  return Shape(std::vector<int64_t>(x.begin() + 1, x.end()));
}

Result<std::vector<TensorType>> infer_batch_norm(const OpCall& call) {
  if (call.shape(0).rank() < 1) return user_error("the input is a scalar, expected batch, channels …");
  const Shape expected = statistics_shape(call);
  static constexpr const char* kNames[] = {"input", "scale", "bias", "mean", "variance"};
  for (size_t i = 1; i < 5; ++i)
    if (call.shape(i) != expected)
      return user_error(fmt::format("{} has the shape {}, expected {} for the input {}", kNames[i],
                                    call.shape(i).text(), expected.text(), call.shape(0).text()));
  std::vector<TensorType> outputs{call.type(0)};
  for (size_t i = 1; i < std::min<size_t>(call.output_count(), 5); ++i) outputs.push_back(call.type(3 + (i + 1) % 2));
  return outputs;
}

Cost cost_batch_norm(const OpCall& call) {
  return {{}, as<Flops>(call.outputs[0].elements() * (training(call) ? 8 : 2))};
}

bool reference_batch_norm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double epsilon = call.attributes.number("epsilon", 1e-5), momentum = call.attributes.number("momentum", 0.9);
  const auto x = read_doubles(in[0]), scale = read_doubles(in[1]), bias = read_doubles(in[2]);
  auto mean = read_doubles(in[3]), variance = read_doubles(in[4]);
  const auto channels = int64_t(mean.size());
  const int64_t samples = in[0].shape()[0];
  const int64_t plane = samples * channels == 0 ? 0 : int64_t(x.size()) / (samples * channels);
  std::vector<double> y(x.size());
  for (int64_t c = 0; c < channels; ++c) {
    const auto index = [&](int64_t i) { return size_t((i / plane * channels + c) * plane + i % plane); };
    Moments used{mean[size_t(c)], variance[size_t(c)]};
    if (training(call)) {
      used = moments(samples * plane, [&](int64_t i) { return x[index(i)]; });
      mean[size_t(c)] = mean[size_t(c)] * momentum + used.mean * (1 - momentum);
      variance[size_t(c)] = variance[size_t(c)] * momentum + used.variance * (1 - momentum);
    }
    const double factor = used.inverse_deviation(epsilon) * scale[size_t(c)];
    for (int64_t i = 0; i < samples * plane; ++i) y[index(i)] = (x[index(i)] - used.mean) * factor + bias[size_t(c)];
  }
  write_doubles(out, 0, y);
  for (size_t i = 1; i < out.size(); ++i) write_doubles(out, i, i % 2 == 1 ? mean : variance);
  return true;
}

std::vector<OpExample> examples_batch_norm() {
  const auto inputs = [](Shape shape) {
    const TensorType per_channel{DType::f32, {3}};
    return std::vector<OpExample::Input>{
        {{DType::f32, std::move(shape)}}, {per_channel}, {per_channel}, {per_channel}, {per_channel}};
  };
  return {{"image", {}, inputs({2, 3, 4, 5})},
          {"vector", {{"epsilon", 1e-3}}, inputs({2, 3})},
          {"planes of one number", {}, inputs({2, 3, 1})},
          {"training", {{"training_mode", int64_t{1}}}, inputs({2, 3, 4, 5}), 3, true, false}};
}

// With stored statistics: a scale and a shift for each channel. (In training batch_norm_train stands here.)
void gradient_batch_norm(Backward& backward) {
  if (training(backward.call()))
    return backward.fail("batch norm with training_mode has a gradient only inside a training step");
  if (backward.attributes().integer("spatial", 1) == 0 || backward.call().shape(0).rank() < 2)
    return backward.fail("statistics of every position have no gradient");
  const double epsilon = backward.attributes().number("epsilon", 1e-5);
  const auto grad =
      backward.emit(batch_norm_grad_stored(),
                    {backward.gradient(), backward.input(0), backward.input(1), backward.input(3), backward.input(4)},
                    {{"epsilon", epsilon}}, 3);
  for (size_t i = 0; i < 3; ++i)
    if (backward.wants(i)) backward.set(i, grad[i]);
}

}  // namespace

const Op& batch_norm_op() {
  static const Op op{.name = "batch_norm",
                     .kind = OpKind::batch_norm,
                     .takes = {ActivationKind::relu},
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {"BatchNormalization"},
                     .roles = "xwwbb",
                     .required_inputs = 5,
                     .infer = infer_batch_norm,
                     .cost = cost_batch_norm,
                     .reference = reference_batch_norm,
                     .gradient = gradient_batch_norm,
                     .examples = examples_batch_norm,
                     .training = batch_norm_train};
  return op;
}

}  // namespace plimsoll
