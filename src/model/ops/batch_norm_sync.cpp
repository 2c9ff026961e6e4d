#include "model/ops/batch_norm_sync.h"

#include <cmath>

#include "model/ir/backward.h"
#include "model/ops/all_reduce.h"
#include "model/ops/batch_norm_training.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

// Channels of a (batch, channels, spatial …) tensor: f(channel, offset) for each number, in order.
struct ChannelNumbers {
  int64_t channels, plane, count;  // count: numbers of each channel

  explicit ChannelNumbers(const Shape& x)
      : channels(x[1]), plane(x.elements(2, x.rank()).value()), count(x[0] * plane) {}
  template <class F>
  void each(F&& f) const {
    for (int64_t i = 0; i < count * channels; ++i) f(size_t(i / plane % channels), size_t(i));
  }
};

TensorType sums_of(const Shape& x) { return {DType::f64, Shape{2, x[1]}}; }
double workers_of(const OpCall& call) { return double(call.attributes.integer("workers", 1)); }

Result<std::vector<TensorType>> infer_sums(const OpCall& call) { return std::vector{sums_of(call.shape(0))}; }

bool reference_sums(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto x = read_doubles(in[0]);
  const ChannelNumbers numbers(in[0].shape());
  std::vector<double> sums(size_t(2 * numbers.channels));
  numbers.each([&](size_t c, size_t at) {
    sums[c] += x[at];
    sums[c + size_t(numbers.channels)] += x[at] * x[at];
  });
  write_doubles(out, 0, sums);
  return true;
}

Result<std::vector<TensorType>> infer_train_sync(const OpCall& call) { return infer(batch_norm_train(), call); }

bool reference_train_sync(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double epsilon = call.attributes.number("epsilon", 1e-5), momentum = call.attributes.number("momentum", 0.9);
  const auto x = read_doubles(in[0]), scale = read_doubles(in[1]), bias = read_doubles(in[2]);
  auto mean = read_doubles(in[3]), variance = read_doubles(in[4]);
  const auto sums = read_doubles(in[5]);
  const ChannelNumbers numbers(in[0].shape());
  const double count = double(numbers.count) * workers_of(call);
  std::vector<double> y(x.size()), saved_mean, saved_inverse;
  for (size_t c = 0; c < scale.size(); ++c) {
    const double middle = sums[c] / count, square = sums[c + scale.size()] - sums[c] * middle;
    mean[c] = mean[c] * momentum + middle * (1 - momentum);
    variance[c] = variance[c] * momentum + square / std::max(count - 1, 1.0) * (1 - momentum);
    saved_mean.push_back(middle);
    saved_inverse.push_back(1 / std::sqrt(square / count + epsilon));
  }
  numbers.each([&](size_t c, size_t at) { y[at] = (x[at] - saved_mean[c]) * saved_inverse[c] * scale[c] + bias[c]; });
  write_doubles(out, 0, y);
  write_doubles(out, 1, mean);
  write_doubles(out, 2, variance);
  write_doubles(out, 3, saved_mean);
  write_doubles(out, 4, saved_inverse);
  return true;
}

Result<std::vector<TensorType>> infer_grad_sums(const OpCall& call) {
  const TensorType parameter{call.dtype(0), Shape{call.shape(0)[1]}};
  return std::vector{sums_of(call.shape(0)), parameter, parameter};
}

bool reference_grad_sums(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), x = read_doubles(in[1]), mean = read_doubles(in[2]),
             inverse = read_doubles(in[3]);
  const ChannelNumbers numbers(in[0].shape());
  const auto channels = size_t(numbers.channels);
  std::vector<double> sums(2 * channels);
  numbers.each([&](size_t c, size_t at) {
    sums[c] += dy[at];
    sums[c + channels] += dy[at] * (x[at] - mean[c]) * inverse[c];
  });
  write_doubles(out, 0, sums);
  write_doubles(out, 1, {sums.begin() + ptrdiff_t(channels), sums.end()});
  write_doubles(out, 2, {sums.begin(), sums.begin() + ptrdiff_t(channels)});
  return true;
}

bool reference_grad_sync(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), x = read_doubles(in[1]), scale = read_doubles(in[2]), mean = read_doubles(in[3]),
             inverse = read_doubles(in[4]), sums = read_doubles(in[5]);
  const ChannelNumbers numbers(in[0].shape());
  const double count = double(numbers.count) * workers_of(call);
  std::vector<double> dx(dy.size());
  numbers.each([&](size_t c, size_t at) {
    const double normal = (x[at] - mean[c]) * inverse[c];
    dx[at] = scale[c] * inverse[c] * (dy[at] - (sums[c] + normal * sums[c + scale.size()]) / count);
  });
  write_doubles(out, 0, dx);
  return true;
}

void gradient_train_sync(Backward& backward) {
  if (!backward.gradient().present()) return;
  const ValueId dy = backward.gradient(), x = backward.input(0), mean = backward.output(3),
                inverse = backward.output(4);
  const auto own = backward.emit(batch_norm_grad_sums(), {dy, x, mean, inverse}, {}, 3);
  if (backward.wants(1)) backward.set(1, own[1]);
  if (backward.wants(2)) backward.set(2, own[2]);
  if (!backward.wants(0)) return;
  const ValueId all = backward.emit(all_reduce(), {own[0]});
  backward.set(0, backward.emit(batch_norm_grad_sync(), {dy, x, backward.input(1), mean, inverse, all},
                                {{"workers", backward.attributes().integer("workers", 1)}}));
}

}  // namespace

const Op& batch_norm_sums() {
  static const Op op{.name = "batch_norm_sums",
                     .kind = OpKind::batch_norm,
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {},
                     .infer = infer_sums,
                     .cost =
                         [](const OpCall& call) {
                           return Cost{{}, as<Flops>(call.type(0).elements() * 3)};
                         },
                     .reference = reference_sums,
                     .gradient = no_gradient};
  return op;
}

const Op& batch_norm_train_sync() {
  static const Op op{.name = "batch_norm_train_sync",
                     .kind = OpKind::batch_norm,
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {},
                     .roles = "xwwbbx",
                     .required_inputs = 6,
                     .infer = infer_train_sync,
                     .cost = elementwise_cost<5>,
                     .reference = reference_train_sync,
                     .gradient = gradient_train_sync,
                     .updates = {{1, 3}, {2, 4}}};
  return op;
}

const Op& batch_norm_grad_sums() {
  static const Op op{.name = "batch_norm_grad_sums",
                     .kind = OpKind::batch_norm,
                     .onnx = {},
                     .required_inputs = 4,
                     .infer = infer_grad_sums,
                     .cost =
                         [](const OpCall& call) {
                           return Cost{{}, as<Flops>(call.type(0).elements() * 5)};
                         },
                     .reference = reference_grad_sums};
  return op;
}

const Op& batch_norm_grad_sync() {
  static const Op op{.name = "batch_norm_grad_sync",
                     .kind = OpKind::batch_norm,
                     .onnx = {},
                     .roles = "xxwxxx",
                     .required_inputs = 6,
                     .infer = same_type,
                     .cost = elementwise_cost<5>,
                     .reference = reference_grad_sync};
  return op;
}

}  // namespace plimsoll
