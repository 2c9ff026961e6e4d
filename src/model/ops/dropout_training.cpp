#include "model/ops/dropout_training.h"

#include "model/ops/counter_random.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

// The share that is dropped, where it is known before the run: an attribute up to opset 11, then an input.
double ratio_of(const OpCall& call) {
  const Tensor* given = call.constant(1);
  const auto numbers = given ? given->doubles() : std::vector<double>{};
  const double ratio = numbers.empty() ? call.attributes.number("ratio", 0.5) : numbers[0];
  return ratio >= 0 && ratio < 1 ? ratio : 0;
}

Result<std::vector<TensorType>> infer_train(const OpCall& call) {
  return std::vector{call.type(0), TensorType{DType::boolean, call.shape(0)}};
}

RandomKey key_of(const OpCall& call, std::span<const TensorView> in) {
  const auto counters = read_doubles(in, 3);
  const auto counter = [&](size_t i) { return i < counters.size() ? uint64_t(clamped<int64_t>(counters[i])) : 0; };
  return {counter(0), counter(1), uint64_t(call.attributes.integer("node", 0)), counter(2)};
}

bool reference_train(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const RandomKey key = key_of(call, in);
  const double ratio = ratio_of(call);
  auto y = read_doubles(in[0]);
  const int64_t samples = in[0].shape().rank() > 0 ? std::max<int64_t>(in[0].shape()[0], 1) : 1;
  const size_t sample = std::max<size_t>(y.size() / size_t(samples), 1);
  std::vector<double> mask(y.size());
  for (size_t i = 0; i < y.size(); ++i) {
    mask[i] = key.uniform(i / sample, i % sample) >= ratio ? 1 : 0;
    y[i] *= mask[i] / (1 - ratio);
  }
  write_doubles(out, 0, y);
  write_doubles(out, 1, mask);
  return true;
}

void gradient_train(Backward& backward) {
  backward.set(0, backward.emit(dropout_grad(), {backward.gradient(), backward.output(1)},
                                {{"ratio", ratio_of(backward.call())}}));
}

bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  auto dx = read_doubles(in[0]);
  const auto mask = read_doubles(in[1]);
  for (size_t i = 0; i < dx.size(); ++i) dx[i] *= mask[i] / (1 - call.attributes.number("ratio", 0.5));
  write_doubles(out, 0, dx);
  return true;
}

std::vector<OpExample> examples_train() {
  return {{"image", {{"ratio", 0.25}, {"node", int64_t{3}}}, {example::f32({2, 3, 4})}, 2}};
}

}  // namespace

const Op& dropout_train() {
  static const Op op{.name = "dropout_train",
                     .kind = OpKind::element,
                     .before_activation = true,
                     .onnx = {},
                     .roles = "xc",
                     .infer = infer_train,
                     .cost = elementwise_cost<2>,
                     .reference = reference_train,
                     .gradient = gradient_train,
                     .examples = examples_train,
                     .storage = Storage::in_place,
                     .elementwise = true,
                     .random = true};
  return op;
}

const Op& dropout_grad() {
  static const Op op{.name = "dropout_grad",
                     .kind = OpKind::element,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = same_type,
                     .cost = elementwise_cost<2>,
                     .reference = reference_grad,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
