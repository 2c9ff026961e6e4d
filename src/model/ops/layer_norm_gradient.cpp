#include "model/ops/layer_norm_gradient.h"

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_grad(const OpCall& call) {
  PLIM_TRY(normalise_axis(call.attributes.integer("axis", -1), call.shape(1).rank()));
  if (call.shape(0) != call.shape(1)) return user_error("the gradient is not of the input's shape");
  const TensorType scale = call.type(2);
  return std::vector{call.type(0), scale, scale};
}

bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const double epsilon = call.attributes.number("epsilon", 1e-5);
  const Shape& shape = in[1].shape();
  const int axis = *normalise_axis(call.attributes.integer("axis", -1), shape.rank());
  const int64_t slices = shape.elements(0, axis).value(), length = shape.elements(axis, shape.rank()).value();
  auto normal = read_doubles(in[1]);
  std::vector<double> inverse;
  for (int64_t s = 0; s < slices; ++s)
    inverse.push_back(normalise(normal.data() + s * length, length, epsilon).inverse_deviation(epsilon));
  auto dx = read_doubles(in[0]);  // becomes dy · scale, then dx
  const auto scale = read_doubles(in[2]);
  std::vector<double> dscale(scale.size()), dbias(scale.size());
  broadcast_walk<1>(shape, {&in[2].shape()}, [&](int64_t i, const auto& at) {
    dscale[size_t(at[0])] += dx[size_t(i)] * normal[size_t(i)];
    dbias[size_t(at[0])] += dx[size_t(i)];
    dx[size_t(i)] *= scale[size_t(at[0])];
  });
  for (int64_t s = 0; s < slices; ++s) {
    const int64_t at = s * length;
    normalised_back(dx.data() + at, normal.data() + at, length, inverse[size_t(s)]);
  }
  write_doubles(out, 0, dx);
  write_doubles(out, 1, dscale);
  write_doubles(out, 2, dbias);
  return true;
}

}  // namespace

const Op& layer_norm_grad() {
  static const Op op{.name = "layer_norm_grad",
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

}  // namespace plimsoll
