// sum_to: the sum over everything that broadcasting would repeat, to the attribute "shape": expand read
// backwards. Cost: one addition a number read.
#include <fmt/format.h>

#include "model/ops/all_ops.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_sum_to(const OpCall& call) {
  const Shape shape(call.attributes.integers("shape"));
  for (const int64_t size : shape)
    if (size < 0) return user_error(fmt::format("the shape {} has a negative size", shape.text()));
  const auto joined = broadcast(call.shape(0), shape);
  if (!joined.ok() || *joined != call.shape(0))
    return user_error(fmt::format("{} does not broadcast to {}", shape.text(), call.shape(0).text()));
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_sum_to(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements())}; }

bool reference_sum_to(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto x = read_doubles(in[0]);
  std::vector<double> y(size_t(out[0].size()));
  broadcast_walk<1>(in[0].shape(), {&out[0].shape()},
                    [&](int64_t i, const auto& at) { y[size_t(at[0])] += x[size_t(i)]; });
  write_doubles(out, 0, y);
  return true;
}

void gradient_sum_to(Backward& backward) {
  const ValueId shape = backward.constant(integer_tensor(sizes_of(backward.call().shape(0))));
  backward.set(0, backward.emit(op_named("expand"), {backward.gradient(), shape}));
}

std::vector<OpExample> examples_sum_to() {
  using example::Ints;
  return {{"a bias", {{"shape", Ints{4}}}, {example::f32({2, 3, 4})}},
          {"kept axes", {{"shape", Ints{1, 3, 1}}}, {example::f32({2, 3, 4})}}};
}

}  // namespace

const Op& sum_to_op() {
  static const Op op{.name = "sum_to",
                     .kind = OpKind::reduction,
                     .onnx = {},
                     .infer = infer_sum_to,
                     .cost = cost_sum_to,
                     .reference = reference_sum_to,
                     .gradient = gradient_sum_to,
                     .examples = examples_sum_to};
  return op;
}

}  // namespace plimsoll
