#include "model/ops/group_norm_gradient.h"

#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_grad(const OpCall& call) {
  if (call.shape(0) != call.shape(1) || call.shape(1).rank() < 2)
    return user_error(fmt::format("gradient {} and input {} differ", call.shape(0).text(), call.shape(1).text()));
  const TensorType bias{call.dtype(2), Shape{call.attributes.integer("bias_size", 0)}};
  return std::vector{call.type(0), call.type(2), bias};
}

bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double epsilon = call.attributes.number("epsilon", 1e-5);
  const Shape& shape = in[1].shape();
  const auto channels = size_t(shape[1]), plane = size_t(shape.elements(2, shape.rank()).value());
  const int64_t groups = call.attributes.integer("num_groups", 1);
  const int64_t length = shape.elements(1, shape.rank()).value() / groups;
  auto normal = read_doubles(in[1]), dx = read_doubles(in[0]);
  const auto scale = read_doubles(in[2]);
  std::vector<double> inverse, dscale(scale.size()), dbias(size_t(call.attributes.integer("bias_size", 0)));
  for (int64_t at = 0; at < int64_t(normal.size()); at += length)
    inverse.push_back(normalise(normal.data() + at, length, epsilon).inverse_deviation(epsilon));
  for (size_t i = 0; i < dx.size(); ++i) {
    const size_t channel = i / plane % channels, part = channel * scale.size() / channels;
    dscale[part] += dx[i] * normal[i];
    dbias[channel * dbias.size() / channels] += dx[i];
    dx[i] *= scale[part];
  }
  for (size_t slice = 0; slice < inverse.size(); ++slice) {
    const size_t at = slice * size_t(length);
    normalised_back(dx.data() + at, normal.data() + at, length, inverse[slice]);
  }
  write_doubles(out, 0, dx);
  write_doubles(out, 1, dscale);
  write_doubles(out, 2, dbias);
  return true;
}

}  // namespace

const Op& group_norm_grad() {
  static const Op op{.name = "group_norm_grad",
                     .kind = OpKind::norm,
                     .onnx = {},
                     .roles = "xxw",
                     .required_inputs = 3,
                     .infer = infer_grad,
                     .cost = elementwise_cost<14>,
                     .reference = reference_grad,
                     .elementwise = true};
  return op;
}

void emit_group_norm_grad(Backward& backward, int64_t groups) {
  const Attributes attributes{{"num_groups", groups},
                              {"epsilon", backward.attributes().number("epsilon", 1e-5)},
                              {"bias_size", backward.call().shape(2)[0]}};
  const auto gradients =
      backward.emit(group_norm_grad(), {backward.gradient(), backward.input(0), backward.input(1)}, attributes, 3);
  for (size_t i = 0; i < 3; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

}  // namespace plimsoll
