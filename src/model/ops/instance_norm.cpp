// instance_norm: every plane of every sample to mean 0 and variance 1, then scale and bias of its channel.
// Cost: 8 an element: two sums, difference, square, normalise, scale and shift.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/group_norm_gradient.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_instance_norm(const OpCall& call) {
  const Shape& x = call.shape(0);
  if (x.rank() < 2) return user_error(fmt::format("the input has the shape {}, expected batch, channels …", x.text()));
  for (size_t i = 1; i < 3; ++i)
    if (call.shape(i) != Shape{x[1]})
      return user_error(fmt::format("{} has the shape {}, expected {} for the input {}", i == 1 ? "scale" : "bias",
                                    call.shape(i).text(), x[1], x.text()));
  return std::vector{call.type(0)};
}

bool reference_instance_norm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape& shape = in[0].shape();
  const int64_t plane = shape.elements(2, shape.rank()).value();
  auto y = read_doubles(in[0]);
  for (int64_t at = 0; at < int64_t(y.size()); at += plane)
    normalise(y.data() + at, plane, call.attributes.number("epsilon", 1e-5));
  scale_and_shift(y, shape, read_doubles(in[1]), read_doubles(in[2]));
  write_doubles(out, 0, y);
  return true;
}

void gradient_instance_norm(Backward& backward) { emit_group_norm_grad(backward, backward.call().shape(0)[1]); }

std::vector<OpExample> examples_instance_norm() {
  using example::f32;
  return {{"image", {}, {f32({2, 3, 4, 5}), f32({3}), f32({3})}},
          {"1-D", {{"epsilon", 1e-2}}, {f32({2, 3, 4}), f32({3}), f32({3})}}};
}

}  // namespace

const Op& instance_norm_op() {
  static const Op op{.name = "instance_norm",
                     .kind = OpKind::norm,
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {"InstanceNormalization"},
                     .roles = "xvv",  // PyTorch writes group norm with Constant nodes of ones and zeros here
                     .required_inputs = 3,
                     .infer = infer_instance_norm,
                     .cost = elementwise_cost<8>,
                     .reference = reference_instance_norm,
                     .gradient = gradient_instance_norm,
                     .examples = examples_instance_norm};
  return op;
}

}  // namespace plimsoll
