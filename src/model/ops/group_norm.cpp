// group_norm: the channels of a sample in num_groups groups, each to mean 0 and variance 1, then
// scale and bias: of each group in opset 18, of each channel from opset 21 on.
// Cost: 8 an element: two sums, difference, square, normalise, scale and shift.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/group_norm_gradient.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_group_norm(const OpCall& call) {
  const Shape& x = call.shape(0);
  const int64_t groups = call.attributes.integer("num_groups", 0);
  if (x.rank() < 2 || groups < 1 || x[1] % groups != 0)
    return user_error(fmt::format("num_groups is {}, expected a divisor of the channels of {}", groups, x.text()));
  for (size_t i = 1; i < 3; ++i)
    if (call.shape(i) != Shape{x[1]} && call.shape(i) != Shape{groups})
      return user_error(fmt::format("{} has the shape {}, expected {} (channels) or {} (groups)",
                                    i == 1 ? "scale" : "bias", call.shape(i).text(), x[1], groups));
  return std::vector{call.type(0)};
}

bool reference_group_norm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape& shape = in[0].shape();
  const int64_t groups = call.attributes.integer("num_groups", 1);
  const int64_t length = shape.elements(1, shape.rank()).value() / groups;
  auto y = read_doubles(in[0]);
  for (int64_t at = 0; at < int64_t(y.size()); at += length)
    normalise(y.data() + at, length, call.attributes.number("epsilon", 1e-5));
  scale_and_shift(y, shape, read_doubles(in[1]), read_doubles(in[2]));
  write_doubles(out, 0, y);
  return true;
}

void gradient_group_norm(Backward& backward) {
  emit_group_norm_grad(backward, backward.attributes().integer("num_groups", 1));
}

std::vector<OpExample> examples_group_norm() {
  using example::f32;
  return {{"scale of each channel", {{"num_groups", int64_t{2}}}, {f32({2, 4, 3, 2}), f32({4}), f32({4})}},
          {"scale of each group", {{"num_groups", int64_t{2}}}, {f32({2, 6, 3}), f32({2}), f32({2})}}};
}

}  // namespace

const Op& group_norm_op() {
  static const Op op{.name = "group_norm",
                     .kind = OpKind::norm,
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {"GroupNormalization"},
                     .roles = "xww",
                     .required_inputs = 3,
                     .infer = infer_group_norm,
                     .cost = elementwise_cost<8>,
                     .reference = reference_group_norm,
                     .gradient = gradient_group_norm,
                     .examples = examples_group_norm};
  return op;
}

}  // namespace plimsoll
