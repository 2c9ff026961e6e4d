#include "model/ops/variadic.h"

#include "model/ops/doubles.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

// dy, y, then the forward inputs up to and with the one that the gradient is for: dy where that is the first which
// y is equal to, else 0.
bool reference_extreme_grad(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), y = read_doubles(in[1]);
  std::vector<double> dx(dy.size());
  std::vector<bool> given(dy.size());
  for (size_t k = 2; k < in.size(); ++k) {
    if (!in[k].present()) continue;
    const auto x = read_doubles(in[k]);
    broadcast_walk<1>(out[0].shape(), {&in[k].shape()}, [&](int64_t i, const auto& at) {
      if (given[size_t(i)] || x[size_t(at[0])] != y[size_t(i)]) return;
      given[size_t(i)] = true;
      if (k + 1 == in.size()) dx[size_t(i)] = dy[size_t(i)];
    });
  }
  write_doubles(out, 0, dx);
  return true;
}

Cost cost_extreme_grad(const OpCall& call) {
  return {{}, as<Flops>(call.outputs[0].elements() * (present_inputs(call) - 2))};
}

const Op& extreme_grad() {
  static const Op op{.name = "extreme_grad",
                     .onnx = {},
                     .required_inputs = 3,
                     .infer = same_type,
                     .cost = cost_extreme_grad,
                     .reference = reference_extreme_grad,
                     .elementwise = true};
  return op;
}

// With many inputs one operation gives all gradients: one for each, which reads all inputs before its own, would make
// the square of their number of reads.
constexpr size_t kManyInputs = 16;

Result<std::vector<TensorType>> infer_extreme_grads(const OpCall& call) {
  return std::vector<TensorType>(call.input_count() - 2, call.type(0));
}

// dy, y, the forward inputs → the gradient of each of them, of the shape of dy.
bool reference_extreme_grads(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), y = read_doubles(in[1]);
  std::vector<bool> given(dy.size());
  for (size_t k = 2; k < in.size(); ++k) {
    if (!in[k].present()) continue;
    const auto x = read_doubles(in[k]);
    std::vector<double> dx(dy.size());
    broadcast_walk<1>(in[0].shape(), {&in[k].shape()}, [&](int64_t i, const auto& at) {
      if (given[size_t(i)] || x[size_t(at[0])] != y[size_t(i)]) return;
      given[size_t(i)] = true;
      dx[size_t(i)] = dy[size_t(i)];
    });
    write_doubles(out, k - 2, dx);
  }
  return true;
}

const Op& extreme_grads() {
  static const Op op{.name = "extreme_grads",
                     .onnx = {},
                     .required_inputs = 3,
                     .infer = infer_extreme_grads,
                     .cost = cost_extreme_grad,
                     .reference = reference_extreme_grads};
  return op;
}

}  // namespace

void extreme_gradient(Backward& backward) {
  const size_t count = backward.call().input_count();
  std::vector<ValueId> inputs{backward.gradient(), backward.output(0)};
  if (count > kManyInputs) {
    for (size_t i = 0; i < count; ++i) inputs.push_back(backward.input(i));
    const auto gradients = backward.emit(extreme_grads(), std::move(inputs), {}, count);
    for (size_t i = 0; i < count; ++i)
      if (backward.wants(i)) backward.set(i, like_input(backward, i, gradients[i]));
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    inputs.push_back(backward.input(i));
    if (backward.wants(i)) backward.set(i, like_input(backward, i, backward.emit(extreme_grad(), inputs)));
  }
}

int64_t present_inputs(const OpCall& call) {
  int64_t present = 0;
  for (size_t i = 0; i < call.input_count(); ++i) present += call.has(i) ? 1 : 0;
  return present;
}

std::vector<OpExample> variadic_examples() {
  const auto f32 = [](Shape shape) { return OpExample::Input{{DType::f32, std::move(shape)}}; };
  return {{"one", {}, {f32({2, 3})}},
          {"two", {}, {f32({2, 3}), f32({2, 3})}},
          {"three, broadcast", {}, {f32({2, 1, 4}), f32({2, 3, 1}), f32({2, 3, 4})}}};
}

}  // namespace plimsoll
