// upsample: ONNX's resize before opset 10, by factors that opset 7 kept in an attribute.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/adjoint.h"
#include "model/ops/example.h"
#include "model/ops/interpolate.h"

namespace plimsoll {
namespace {

constexpr double kLargest = 4503599627370496.0;  // 2^52

Result<std::vector<double>> scales_of(const OpCall& call) {
  if (call.attributes.has("scales")) return call.attributes.numbers("scales");
  if (!call.has(1)) return user_error("no scales are given");
  if (!call.constant(1)) return undetermined("the scales are not known before the run");
  return call.constant(1)->doubles();
}

Result<Interpolation> read_upsample(const OpCall& call) {
  const Shape& from = call.shape(0);
  PLIM_ASSIGN(const auto scales, scales_of(call));
  if (int(scales.size()) != from.rank())
    return user_error(fmt::format("{} scales are given for {} (rank {})", scales.size(), from.text(), from.rank()));
  Interpolation how;
  how.mode = call.attributes.text("mode", "nearest");
  if (how.mode == "bilinear" || how.mode == "trilinear") how.mode = "linear";
  how.coordinates = "asymmetric";
  how.nearest = "floor";
  for (int axis = 0; axis < from.rank(); ++axis) {
    const double scale = scales[size_t(axis)];
    const double size = std::floor(float(from[axis]) * float(scale));
    if (!(scale > 0) || !(size >= 0 && size <= kLargest))
      return user_error(fmt::format("scale {} at axis {} of {} is out of range", scale, axis, from.text()));
    how.axes.push_back({from[axis], int64_t(size), scale});
  }
  PLIM_TRY(check_interpolation(how));
  return how;
}

Result<std::vector<TensorType>> infer_upsample(const OpCall& call) {
  PLIM_ASSIGN(const Interpolation how, read_upsample(call));
  Shape shape;
  for (const auto& axis : how.axes) shape.push_back(axis.out);
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_upsample(const OpCall& call) {
  const auto how = read_upsample(call);
  return how.ok() ? interpolation_cost(*how, call.outputs[0].elements()) : Cost{};
}

bool reference_upsample(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  return interpolate(*read_upsample(call), in[0], out[0]);
}

Cost cost_upsample_grad(const OpCall& call) {
  const ForwardCall forward(call);
  const auto how = read_upsample(*forward);
  return how.ok() ? interpolation_grad_cost(*how, call.type(0).elements()) : Cost{};
}

bool reference_upsample_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const ForwardCall forward(call);
  return interpolate_back(*read_upsample(*forward), in[0], out[0]);
}

void gradient_upsample(Backward& backward) {
  static const Op grad = adjoint_op("upsample_grad", cost_upsample_grad, reference_upsample_grad);
  emit_moved_back(backward, grad);
}

std::vector<OpExample> examples_upsample() {
  const auto scales = example::known(float_tensor({4}, {1, 1, 2, 2}));
  return {{"attribute", {{"scales", std::vector<double>{1, 1, 2, 3}}}, {example::f32({2, 1, 2, 2})}},
          {"input, linear", {{"mode", std::string("linear")}}, {example::f32({2, 3, 2, 2}), scales}}};
}

}  // namespace

const Op& upsample_op() {
  static const Op op{.name = "upsample",
                     .onnx = {"Upsample"},
                     .roles = "xc",
                     .infer = infer_upsample,
                     .cost = cost_upsample,
                     .reference = reference_upsample,
                     .gradient = gradient_upsample,
                     .examples = examples_upsample};
  return op;
}

}  // namespace plimsoll
