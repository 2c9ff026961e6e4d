#include "model/ops/plane_max_training.h"

#include <limits>

#include "model/ops/adaptive_pool.h"
#include "model/ops/doubles.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

// Two bytes hold the places of a plane of up to 65536 numbers.
Result<std::vector<TensorType>> infer_global(const OpCall& call) {
  PLIM_ASSIGN(std::vector<TensorType> outputs, infer_global_pool(call));
  const Count plane = call.shape(0).elements(2, call.shape(0).rank());
  outputs.push_back({plane <= Count(65536) ? DType::u16 : DType::i32, outputs[0].shape});
  return outputs;
}

// The places are what adaptive_max_pool answers on request, in the same type.
Result<std::vector<TensorType>> infer_adaptive(const OpCall& call) {
  PLIM_ASSIGN(std::vector<TensorType> outputs, infer_adaptive_pool(call));
  outputs.push_back({DType::i64, outputs[0].shape});
  return outputs;
}

// A plane as one bin is what global pooling reads.
bool reference_train(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()), -std::numeric_limits<double>::infinity()), places(y.size());
  pool_walk(in[0].shape(), out[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>& at) {
    for_bin(in[0].shape(), out[0].shape(), at, [&](int64_t offset) {
      if (!(x[size_t(plane + offset)] > y[size_t(i)])) return;
      y[size_t(i)] = x[size_t(plane + offset)];
      places[size_t(i)] = double(offset);
    });
  });
  write_doubles(out, 0, y);
  write_doubles(out, 1, places);
  return true;
}

bool reference_grad(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), places = read_doubles(in[1]);
  std::vector<double> dx(size_t(out[0].size()));
  pool_walk(out[0].shape(), in[0].shape(), [&](int64_t i, int64_t plane, const std::vector<int64_t>&) {
    if (!dx.empty()) dx[size_t(plane) + size_t(places[size_t(i)])] += dy[size_t(i)];
  });
  write_doubles(out, 0, dx);
  return true;
}

void gradient_train(Backward& backward) {
  backward.set(0, backward.emit(plane_max_grad(), {backward.gradient(), backward.output(1)},
                                {{"input_shape", sizes_of(backward.call().shape(0))}}));
}

// With both outputs asked for, as a training step does.
template <std::vector<OpExample> (*forward)()>
std::vector<OpExample> examples_train() {
  auto examples = forward();
  for (auto& example : examples) example.outputs = 2;
  return examples;
}

}  // namespace

const Op& global_max_pool_train() {
  static const Op op{.name = "global_max_pool_train",
                     .kind = OpKind::pool,
                     .onnx = {},
                     .infer = infer_global,
                     .cost = cost_global_pool,
                     .reference = reference_train,
                     .gradient = gradient_train,
                     .examples = examples_train<global_pool_examples>};
  return op;
}

const Op& adaptive_max_pool_train() {
  static const Op op{.name = "adaptive_max_pool_train",
                     .kind = OpKind::pool,
                     .onnx = {},
                     .infer = infer_adaptive,
                     .cost = cost_adaptive_pool,
                     .reference = reference_train,
                     .gradient = gradient_train,
                     .examples = examples_train<adaptive_pool_examples>};
  return op;
}

const Op& plane_max_grad() {
  static const Op op{.name = "plane_max_grad",
                     .kind = OpKind::pool,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = infer_moved_back,
                     .cost = cost_moved_back,
                     .reference = reference_grad};
  return op;
}

}  // namespace plimsoll
