// resize: a tensor at other sizes, given as factors (scales) or as sizes. Opset 10 reads (x, scales),
// later ones (x, roi, scales, sizes). Costs: see interpolate.h.
#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "model/ops/adjoint.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/interpolate.h"

namespace plimsoll {
namespace {

constexpr double kLargest = 4503599627370496.0;  // 2^52

bool first_version(const OpCall& call) { return call.input_count() == 2; }

Result<std::vector<double>> numbers(const OpCall& call, size_t input, std::string_view what) {
  const Tensor* known = call.constant(input);
  if (!known) return undetermined(fmt::format("the {} are not known before the run", what));
  auto list = known->doubles();
  if (list.empty() && known->size() > 0) return undetermined(fmt::format("{} of this type are not read", what));
  return list;
}

Status wrong_count(std::string_view what, size_t found, size_t expected) {
  return user_error(fmt::format("{} {} are given, expected {}", found, what, expected));
}

Status read_roi(const OpCall& call, const std::vector<int>& axes, Interpolation& how) {
  if (how.coordinates != "tf_crop_and_resize" || first_version(call)) return {};
  if (!call.has(1)) return user_error("tf_crop_and_resize needs a roi");
  PLIM_ASSIGN(const auto roi, numbers(call, 1, "bounds (roi)"));
  if (roi.size() != 2 * axes.size()) return wrong_count("bounds (roi)", roi.size(), 2 * axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    how.axes[size_t(axes[i])].roi_begin = roi[i];
    how.axes[size_t(axes[i])].roi_end = roi[i + axes.size()];
  }
  return {};
}

Status apply_scales(const std::vector<double>& scales, const std::vector<int>& axes, Interpolation& how) {
  if (scales.size() != axes.size()) return wrong_count("scales", scales.size(), axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    AxisResize& axis = how.axes[size_t(axes[i])];
    const double part = how.coordinates == "tf_crop_and_resize" ? axis.roi_end - axis.roi_begin : 1;
    // In single precision, as every runtime computes it: 10 × 0.7 is 7, not 6.
    const double size = std::floor(float(double(axis.in) * part) * float(scales[i]));
    if (!(scales[i] > 0) || !(size >= 0 && size <= kLargest))
      return user_error(
          fmt::format("scale {} makes {} of size {} at axis {}, expected a positive scale without overflow", scales[i],
                      size, axis.in, axes[i]));
    axis.scale = scales[i];
    axis.out = int64_t(size);
  }
  return {};
}

Status apply_sizes(const OpCall& call, const std::vector<double>& sizes, const std::vector<int>& axes,
                   Interpolation& how) {
  const std::string policy = call.attributes.text("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller")
    return user_error(fmt::format("keep_aspect_ratio_policy {} is not known", in_quotes(policy)));
  if (sizes.size() != axes.size()) return wrong_count("sizes", sizes.size(), axes.size());
  double common = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    AxisResize& axis = how.axes[size_t(axes[i])];
    if (!(sizes[i] >= 0 && sizes[i] <= kLargest))
      return user_error(fmt::format("size {} at axis {} is out of range", sizes[i], axes[i]));
    axis.out = int64_t(sizes[i]);
    axis.scale = axis.in > 0 ? double(axis.out) / double(axis.in) : 1;
    if (i == 0) common = axis.scale;
    common = policy == "not_larger" ? std::min(common, axis.scale) : std::max(common, axis.scale);
  }
  if (policy == "stretch") return {};
  for (const int a : axes) {
    AxisResize& axis = how.axes[size_t(a)];
    axis.scale = common;
    axis.out = int64_t(std::min(std::floor(common * double(axis.in) + 0.5), kLargest));
  }
  return {};
}

Interpolation read_modes(const OpCall& call) {
  Interpolation how;
  for (const int64_t size : call.shape(0)) how.axes.push_back({size, size});
  how.mode = call.attributes.text("mode", "nearest");
  how.coordinates =
      call.attributes.text("coordinate_transformation_mode", first_version(call) ? "asymmetric" : "half_pixel");
  how.nearest = call.attributes.text("nearest_mode", first_version(call) ? "floor" : "round_prefer_floor");
  how.cubic_a = call.attributes.number("cubic_coeff_a", -0.75);
  how.exclude_outside = call.attributes.integer("exclude_outside", 0) != 0;
  how.antialias = call.attributes.integer("antialias", 0) != 0;
  how.extrapolation = call.attributes.number("extrapolation_value", 0);
  return how;
}

Result<Interpolation> read_resize(const OpCall& call) {
  Interpolation how = read_modes(call);
  std::vector<int64_t> all;
  for (int axis = 0; axis < call.shape(0).rank(); ++axis) all.push_back(axis);
  const auto named = call.attributes.integers("axes", all);
  PLIM_ASSIGN(const auto axes, read_axes(named, call.shape(0).rank()));
  PLIM_TRY(read_roi(call, axes, how));
  const size_t scales_at = first_version(call) ? 1 : 2;
  const auto given = [&](size_t i) { return call.has(i) && call.type(i).elements() != Count(0); };
  if (given(3)) {
    PLIM_ASSIGN(const auto sizes, numbers(call, 3, "sizes"));
    PLIM_TRY(apply_sizes(call, sizes, axes, how));
  } else if (given(scales_at)) {
    PLIM_ASSIGN(const auto scales, numbers(call, scales_at, "scales"));
    PLIM_TRY(apply_scales(scales, axes, how));
  } else if (!axes.empty()) {
    return user_error("neither scales nor sizes are given");
  }
  PLIM_TRY(check_interpolation(how));
  return how;
}

Result<std::vector<TensorType>> infer_resize(const OpCall& call) {
  PLIM_ASSIGN(const Interpolation how, read_resize(call));
  Shape shape;
  for (const auto& axis : how.axes) shape.push_back(axis.out);
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_resize(const OpCall& call) {
  const auto how = read_resize(call);
  return how.ok() ? interpolation_cost(*how, call.outputs[0].elements()) : Cost{};
}

bool reference_resize(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  return interpolate(*read_resize(call), in[0], out[0]);
}

Cost cost_resize_grad(const OpCall& call) {
  const ForwardCall forward(call);
  const auto how = read_resize(*forward);
  return how.ok() ? interpolation_grad_cost(*how, call.type(0).elements()) : Cost{};
}

bool reference_resize_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const ForwardCall forward(call);
  return interpolate_back(*read_resize(*forward), in[0], out[0]);
}

void gradient_resize(Backward& backward) {
  static const Op grad = adjoint_op("resize_grad", cost_resize_grad, reference_resize_grad);
  emit_moved_back(backward, grad);
}

std::vector<OpExample> examples_resize() {
  using example::f32, example::ints, example::known;
  const auto scales = [](std::vector<float> s) { return known(float_tensor({int64_t(s.size())}, s)); };
  const auto none = [] { return known(float_tensor({0}, {})); };
  const auto mode = [](const char* name) { return Attributes{{"mode", std::string(name)}}; };
  Attributes corners = mode("linear");
  corners.set("coordinate_transformation_mode", std::string("align_corners"));
  Attributes two = mode("cubic");
  two.set("axes", example::Ints{2, 3});
  return {{"opset 10", {}, {f32({2, 1, 3, 3}), scales({1, 1, 2, 2})}},
          {"nearest by scales", {}, {f32({2, 1, 4, 4}), none(), scales({1, 1, 0.5F, 1.5F})}},
          {"linear by scales", corners, {f32({2, 3, 4, 4}), none(), scales({1, 1, 2, 2})}},
          {"cubic by sizes", two, {f32({2, 1, 3, 4}), none(), none(), ints({5, 2})}}};
}

}  // namespace

const Op& resize_op() {
  static const Op op{.name = "resize",
                     .onnx = {"Resize"},
                     .roles = "xccc",
                     .infer = infer_resize,
                     .cost = cost_resize,
                     .reference = reference_resize,
                     .gradient = gradient_resize,
                     .examples = examples_resize};
  return op;
}

}  // namespace plimsoll
