#include "model/ops/pool_gradient.h"

#include "model/ops/adaptive_pool.h"
#include "model/ops/average_pool.h"
#include "model/ops/doubles.h"
#include "model/ops/gradient.h"
#include "model/ops/pool.h"

namespace plimsoll {
namespace {

Shape input_shape(const OpCall& call) { return Shape(call.attributes.integers("input_shape")); }

Result<Window> window_of(const OpCall& call) {
  return read_window(call.attributes, input_shape(call), call.attributes.integers("kernel_shape"));
}

Result<std::vector<TensorType>> infer_max_pool_train(const OpCall& call) {
  PLIM_ASSIGN(std::vector<TensorType> outputs, infer_pool(call));
  Count taps(1);
  for (const int64_t size : call.attributes.integers("kernel_shape")) taps = taps * size;
  outputs.push_back({taps.value() <= 256 ? DType::u8 : DType::i32, outputs[0].shape});
  return outputs;
}

bool reference_max_pool_train(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Window window = *pool_window(call);
  const auto input_size = spatial(in[0].shape());
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size())), places(y.size());
  pool_walk(in[0].shape(), out[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    double best = lowest_of(out[0].dtype());
    int64_t place = -1;
    for_taps(window, input_size, at, [&](int64_t tap, int64_t offset) {
      const double number = x[size_t(plane + offset)];
      if (place >= 0 && !(number > best)) return;
      best = number;
      place = tap;
    });
    y[size_t(i)] = best;
    places[size_t(i)] = double(std::max<int64_t>(place, 0));
  });
  write_doubles(out, 0, y);
  write_doubles(out, 1, places);
  return true;
}

void gradient_max_pool_train(Backward& backward) {
  backward.set(0, backward.emit(max_pool_grad(), {backward.gradient(), backward.output(1)},
                                with(backward.attributes(), "input_shape", sizes_of(backward.call().shape(0)))));
}

bool reference_max_pool_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Window window = *window_of(call);
  const auto input_size = spatial(out[0].shape());
  const auto dy = read_doubles(in[0]), places = read_doubles(in[1]);
  std::vector<double> dx(size_t(out[0].size()));
  pool_walk(out[0].shape(), in[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    for_taps(window, input_size, at, [&](int64_t tap, int64_t offset) {
      if (double(tap) == places[size_t(i)]) dx[size_t(plane + offset)] += dy[size_t(i)];
    });
  });
  write_doubles(out, 0, dx);
  return true;
}

bool reference_average_pool_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Window window = *window_of(call);
  const auto input_size = spatial(out[0].shape());
  const auto dy = read_doubles(in[0]);
  std::vector<double> dx(size_t(out[0].size()));
  pool_walk(out[0].shape(), in[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    const int64_t count = averaged_taps(call.attributes, window, input_size, at);
    for_taps(window, input_size, at,
             [&](int64_t, int64_t offset) { dx[size_t(plane + offset)] += dy[size_t(i)] / double(count); });
  });
  write_doubles(out, 0, dx);
  return true;
}

bool reference_global_average_pool_grad(const OpCall&, std::span<const TensorView> in,
                                        std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]);
  const size_t plane = size_t(out[0].size()) / std::max<size_t>(dy.size(), 1);
  std::vector<double> dx(size_t(out[0].size()));
  for (size_t i = 0; i < dx.size(); ++i) dx[i] = dy[i / plane] / double(plane);
  write_doubles(out, 0, dx);
  return true;
}

bool reference_adaptive_average_pool_grad(const OpCall&, std::span<const TensorView> in,
                                          std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]);
  std::vector<double> dx(size_t(out[0].size()));
  pool_walk(out[0].shape(), in[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    int64_t count = 0;
    for_bin(out[0].shape(), in[0].shape(), at, [&](int64_t) { ++count; });
    for_bin(out[0].shape(), in[0].shape(), at,
            [&](int64_t offset) { dx[size_t(plane + offset)] += dy[size_t(i)] / double(count); });
  });
  write_doubles(out, 0, dx);
  return true;
}

Cost cost_spread(const OpCall& call) { return {{}, as<Flops>(call.outputs[0].elements())}; }

Op spread_op(std::string_view name, Reference reference, CostRule cost = cost_spread) {
  return {
      .name = name, .kind = OpKind::pool, .onnx = {}, .infer = infer_moved_back, .cost = cost, .reference = reference};
}

std::vector<OpExample> examples_max_pool_train() {
  using Ints = std::vector<int64_t>;
  const TensorType image{DType::f32, {2, 3, 7, 6}};
  return {{"padded", {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}}, {{image}}, 2},
          {"ceil", {{"kernel_shape", Ints{2, 3}}, {"strides", Ints{2, 2}}, {"ceil_mode", int64_t{1}}}, {{image}}, 2}};
}

}  // namespace

const Op& max_pool_train() {
  static const Op op{.name = "max_pool_train",
                     .kind = OpKind::pool,
                     .before_activation = true,
                     .onnx = {},
                     .infer = infer_max_pool_train,
                     .cost = cost_pool,
                     .reference = reference_max_pool_train,
                     .gradient = gradient_max_pool_train,
                     .examples = examples_max_pool_train};
  return op;
}

const Op& max_pool_grad() {
  static const Op op = spread_op("max_pool_grad", reference_max_pool_grad, cost_moved_back);
  return op;
}

const Op& average_pool_grad() {
  static const Op op = spread_op("average_pool_grad", reference_average_pool_grad, [](const OpCall& call) {
    Count flops = call.type(0).elements();
    for (const int64_t size : call.attributes.integers("kernel_shape")) flops = flops * size;
    return Cost{{}, as<Flops>(flops)};
  });
  return op;
}

const Op& global_average_pool_grad() {
  static const Op op = spread_op("global_average_pool_grad", reference_global_average_pool_grad);
  return op;
}

const Op& adaptive_average_pool_grad() {
  static const Op op = spread_op("adaptive_average_pool_grad", reference_adaptive_average_pool_grad);
  return op;
}

}  // namespace plimsoll
