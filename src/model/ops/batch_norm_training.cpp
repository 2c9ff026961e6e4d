#include "model/ops/batch_norm_training.h"

#include <fmt/format.h>

#include <limits>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/fused_activation.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

// The numbers of one channel: number i is at offset(i).
struct Channel {
  int64_t channels, plane, channel, first;
  size_t offset(int64_t i) const { return size_t(((first + i / plane) * channels + channel) * plane + i % plane); }
};

// Samples that have statistics of their own: all, or with the attribute ghost so many.
int64_t group_of(const Attributes& attributes, const Shape& x) {
  const int64_t ghost = attributes.integer("ghost", 0);
  return ghost > 0 ? ghost : x[0];
}

// The channels of each group, one group after another.
struct Channels {
  int64_t channels = 0, plane = 0, group = 0, groups = 0, count = 0;  // count: numbers of a channel in a group

  Channels(const Attributes& attributes, const Shape& x)
      : channels(x[1]),
        plane(x.elements(2, x.rank()).value()),
        group(group_of(attributes, x)),
        groups(group > 0 ? x[0] / group : 1),
        count(group * plane) {}
  int64_t size() const { return groups * channels; }
  Channel operator[](int64_t i) const { return {channels, plane, i % channels, i / channels * group}; }
};

Result<std::vector<TensorType>> infer_train(const OpCall& call) {
  const Shape& x = call.shape(0);
  if (x.rank() < 2) return user_error(fmt::format("the input has the shape {}, expected batch, channels …", x.text()));
  if (call.attributes.integer("spatial", 1) == 0) return user_error("statistics of every position are not trained");
  for (size_t i = 1; i < 5; ++i)
    if (call.shape(i) != Shape{x[1]})
      return user_error(fmt::format("input {} has the shape {}, expected {}", i, call.shape(i).text(), x[1]));
  PLIM_TRY(fused_activation(call.attributes));
  const int64_t ghost = call.attributes.integer("ghost", 0);
  if (ghost > 0 && x[0] % ghost != 0)
    return user_error(fmt::format("a batch of {} has no whole groups of {}", x[0], ghost));
  const int64_t statistics = x[1] * (ghost > 0 ? x[0] / ghost : 1);
  const TensorType statistic{is_floating(call.dtype(3)) ? call.dtype(3) : DType::f32, {statistics}};
  return std::vector{call.type(0), call.type(3), call.type(4), statistic, statistic};
}

// The running variance is that of the whole population, estimated: divided by one less than the count.
bool reference_train(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double epsilon = call.attributes.number("epsilon", 1e-5), momentum = call.attributes.number("momentum", 0.9);
  const auto x = read_doubles(in[0]), scale = read_doubles(in[1]), bias = read_doubles(in[2]);
  auto mean = read_doubles(in[3]), variance = read_doubles(in[4]);
  const Activation activation = *fused_activation(call.attributes);
  const Channels all(call.attributes, in[0].shape());
  std::vector<double> y(x.size()), saved_mean, saved_inverse;
  for (int64_t g = 0; g < all.size(); ++g) {
    const Channel channel = all[g];
    const auto c = size_t(channel.channel);
    const Moments batch = moments(all.count, [&](int64_t i) { return x[channel.offset(i)]; });
    const double inverse = batch.inverse_deviation(epsilon);
    const double unbiased = batch.variance * double(all.count) / double(std::max<int64_t>(all.count - 1, 1));
    mean[c] = mean[c] * momentum + batch.mean * (1 - momentum);
    variance[c] = variance[c] * momentum + unbiased * (1 - momentum);
    saved_mean.push_back(batch.mean);
    saved_inverse.push_back(inverse);
    for (int64_t i = 0; i < all.count; ++i) {
      const size_t at = channel.offset(i);
      y[at] = activation((x[at] - batch.mean) * inverse * scale[c] + bias[c]);
    }
  }
  write_doubles(out, 0, y);
  write_doubles(out, 1, mean);
  write_doubles(out, 2, variance);
  write_doubles(out, 3, saved_mean);
  write_doubles(out, 4, saved_inverse);
  return true;
}

Result<std::vector<TensorType>> infer_grad(const OpCall& call) {
  if (call.shape(0) != call.shape(1))
    return user_error(fmt::format("gradient {} and input {} differ", call.shape(0).text(), call.shape(1).text()));
  return std::vector{call.type(0), call.type(2), call.type(2)};
}

bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  auto dy = read_doubles(in[0]);
  const auto x = read_doubles(in[1]), scale = read_doubles(in[2]);
  const auto mean = read_doubles(in[3]), inverse = read_doubles(in[4]), bias = read_doubles(in, 5);
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const double low = call.attributes.number("low", -kFar), high = call.attributes.number("high", kFar);
  const Channels all(call.attributes, in[0].shape());
  std::vector<double> dx(dy.size()), dscale(scale.size()), dbias(scale.size());
  for (int64_t g = 0; g < all.size(); ++g) {
    const Channel channel = all[g];
    const auto k = size_t(channel.channel), statistic = size_t(g);
    const auto normal = [&](size_t at) { return (x[at] - mean[statistic]) * inverse[statistic]; };
    double sum = 0, along = 0;
    for (int64_t i = 0; i < all.count; ++i) {
      const size_t at = channel.offset(i);
      const double y = bias.empty() ? 0 : normal(at) * scale[k] + bias[k];
      if (!bias.empty() && !(y > low && y < high)) dy[at] = 0;
      sum += dy[at];
      along += dy[at] * normal(at);
    }
    dbias[k] += sum;
    dscale[k] += along;
    for (int64_t i = 0; i < all.count; ++i) {
      const size_t at = channel.offset(i);
      dx[at] = scale[k] * inverse[statistic] * (dy[at] - (sum + normal(at) * along) / double(all.count));
    }
  }
  write_doubles(out, 0, dx);
  write_doubles(out, 1, dscale);
  write_doubles(out, 2, dbias);
  return true;
}

bool reference_grad_stored(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), x = read_doubles(in[1]), scale = read_doubles(in[2]);
  const auto mean = read_doubles(in[3]), variance = read_doubles(in[4]);
  const double epsilon = call.attributes.number("epsilon", 1e-5);
  const Channels all({}, in[0].shape());
  std::vector<double> dx(dy.size()), dscale(scale.size()), dbias(scale.size());
  for (int64_t c = 0; c < all.channels; ++c) {
    const auto k = size_t(c);
    const double inverse = Moments{mean[k], variance[k]}.inverse_deviation(epsilon);
    for (int64_t i = 0; i < all.count; ++i) {
      const size_t at = all[c].offset(i);
      dx[at] = dy[at] * scale[k] * inverse;
      dbias[k] += dy[at];
      dscale[k] += dy[at] * (x[at] - mean[k]) * inverse;
    }
  }
  write_doubles(out, 0, dx);
  write_doubles(out, 1, dscale);
  write_doubles(out, 2, dbias);
  return true;
}

void gradient_train(Backward& backward) {
  if (!backward.gradient().present()) return;
  Attributes group;
  if (const int64_t ghost = backward.attributes().integer("ghost", 0); ghost > 0) group.set("ghost", ghost);
  const auto gradients = backward.emit(
      batch_norm_grad(),
      {backward.gradient(), backward.input(0), backward.input(1), backward.output(3), backward.output(4)}, group, 3);
  for (size_t i = 0; i < 3; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

std::vector<OpExample> examples_train() {
  using example::f32;
  return {{"image", {}, {f32({2, 3, 4, 5}), f32({3}), f32({3}), f32({3}), f32({3})}, 5},
          {"vector", {{"epsilon", 1e-3}}, {f32({4, 3}), f32({3}), f32({3}), f32({3}), f32({3})}, 5},
          {"ghosts", {{"ghost", int64_t{2}}}, {f32({6, 3, 2, 2}), f32({3}), f32({3}), f32({3}), f32({3})}, 5}};
}

}  // namespace

const Op& batch_norm_train() {
  static const Op op{.name = "batch_norm_train",
                     .kind = OpKind::batch_norm,
                     .takes = {ActivationKind::relu, ActivationKind::clip},
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {},
                     .roles = "xwwbb",
                     .required_inputs = 5,
                     .infer = infer_train,
                     .cost = elementwise_cost<8>,
                     .reference = reference_train,
                     .gradient = gradient_train,
                     .examples = examples_train,
                     .updates = {{1, 3}, {2, 4}}};
  return op;
}

const Op& batch_norm_grad() {
  static const Op op{.name = "batch_norm_grad",
                     .kind = OpKind::batch_norm,
                     .onnx = {},
                     .roles = "xxwxxw",
                     .required_inputs = 5,
                     .infer = infer_grad,
                     .cost = elementwise_cost<10>,
                     .reference = reference_grad,
                     .elementwise = true};
  return op;
}

const Op& batch_norm_grad_stored() {
  static const Op op{.name = "batch_norm_grad_stored",
                     .kind = OpKind::batch_norm,
                     .onnx = {},
                     .roles = "xxwbb",
                     .required_inputs = 5,
                     .infer = infer_grad,
                     .cost = elementwise_cost<5>,
                     .reference = reference_grad_stored,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
