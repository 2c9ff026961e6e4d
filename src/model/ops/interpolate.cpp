#include "model/ops/interpolate.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text.h"
#include "model/ir/for_type.h"
#include "model/ops/element_moves.h"

namespace plimsoll {
namespace {

struct Tap {
  int64_t place;
  double weight;
};
using Taps = std::vector<Tap>;  // of one output place along one axis; empty: outside, extrapolated

bool changes(const AxisResize& axis) { return axis.in != axis.out || axis.scale != 1; }

// The place between the input's numbers that output x reads.
double coordinate(const Interpolation& how, const AxisResize& axis, double x) {
  const auto in = double(axis.in), out = double(axis.out);
  const double half_pixel = (x + 0.5) / axis.scale - 0.5;
  if (how.coordinates == "asymmetric") return x / axis.scale;
  if (how.coordinates == "pytorch_half_pixel") return axis.out > 1 ? half_pixel : 0;
  if (how.coordinates == "tf_half_pixel_for_nn") return (x + 0.5) / axis.scale;
  if (how.coordinates == "align_corners") return axis.out > 1 ? x * (in - 1) / (in * axis.scale - 1) : 0;
  if (how.coordinates == "half_pixel_symmetric") return in / 2 * (1 - out / (in * axis.scale)) + half_pixel;
  if (how.coordinates == "tf_crop_and_resize")
    return axis.out > 1 ? axis.roi_begin * (in - 1) + x * (axis.roi_end - axis.roi_begin) * (in - 1) / (out - 1)
                        : 0.5 * (axis.roi_begin + axis.roi_end) * (in - 1);
  return half_pixel;
}

double rounded(const std::string& how, double x) {
  if (how == "floor") return std::floor(x);
  if (how == "ceil") return std::ceil(x);
  return how == "round_prefer_ceil" ? std::floor(x + 0.5) : std::ceil(x - 0.5);
}

Taps cubic_taps(const Interpolation& how, int64_t size, int64_t before, double t) {
  const double a = how.cubic_a;
  const auto near = [&](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [&](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  const std::array weights = {far(1 + t), near(t), near(1 - t), far(2 - t)};
  Taps taps;
  double total = 0;
  for (int64_t i = 0; i < 4; ++i) {
    const int64_t place = before - 1 + i;
    if (how.exclude_outside && (place < 0 || place >= size)) continue;
    taps.push_back({std::clamp<int64_t>(place, 0, size - 1), weights[size_t(i)]});
    total += weights[size_t(i)];
  }
  if (how.exclude_outside)
    for (auto& tap : taps) tap.weight /= total;
  return taps;
}

Taps taps_at(const Interpolation& how, const AxisResize& axis, int64_t output) {
  if (!changes(axis) && how.coordinates != "tf_crop_and_resize") return {{output, 1}};
  double x = coordinate(how, axis, double(output));
  const bool inside = x >= 0 && x <= double(axis.in - 1);  // false for not-a-number
  if (how.coordinates == "tf_crop_and_resize" && !inside) return {};
  x = std::isnan(x) ? 0 : std::clamp(x, -4.0, double(axis.in) + 4);
  const auto clamped = [&](double place) { return std::clamp<int64_t>(int64_t(place), 0, axis.in - 1); };
  if (how.mode == "nearest") return {{clamped(rounded(how.nearest, x)), 1}};
  const double before = std::floor(x);
  if (how.mode == "cubic") return cubic_taps(how, axis.in, int64_t(before), x - before);
  return {{clamped(before), 1 - (x - before)}, {clamped(before + 1), x - before}};
}

// Calls f(offset, weight) for every combination of one tap an axis.
template <class F>
void for_combinations(const std::vector<const Taps*>& taps, const std::vector<int64_t>& strides, size_t axis,
                      int64_t offset, double weight, F&& f) {
  if (axis == taps.size()) return f(offset, weight);
  for (const Tap& tap : *taps[axis])
    if (tap.weight != 0)
      for_combinations(taps, strides, axis + 1, offset + tap.place * strides[axis], weight * tap.weight, f);
}

// Calls f(to, taps) for every output place, with its taps along each axis; none at all outside.
template <class F>
void for_outputs(const std::vector<std::vector<Taps>>& taps, const Shape& out, F&& f) {
  std::vector<const Taps*> here(taps.size());
  for_each_index(out, [&](int64_t to, const std::vector<int64_t>& at) {
    bool inside = true;
    for (size_t axis = 0; axis < taps.size(); ++axis) {
      here[axis] = &taps[axis][size_t(at[axis])];
      inside = inside && !here[axis]->empty();
    }
    f(to, inside ? &here : nullptr);
  });
}

template <class T>
void blend(const Interpolation& how, const std::vector<std::vector<Taps>>& taps, const TensorView& in,
           const TensorView& out) {
  const auto strides = in.shape().strides();
  for_outputs(taps, out.shape(), [&](int64_t to, const std::vector<const Taps*>* here) {
    double sum = here ? 0 : how.extrapolation;
    if (here)
      for_combinations(*here, strides, 0, 0, 1,
                       [&](int64_t from, double weight) { sum += weight * double(in.as<T>()[from]); });
    out.as<T>()[to] = T(sum);
  });
}

bool understood(const Interpolation& how) {
  bool shrinks = false;
  for (const auto& axis : how.axes) shrinks = shrinks || axis.scale < 1;
  return !(how.antialias && shrinks && how.mode != "nearest");
}

// Of every output place along every axis.
std::vector<std::vector<Taps>> all_taps(const Interpolation& how) {
  std::vector<std::vector<Taps>> taps(how.axes.size());
  for (size_t axis = 0; axis < taps.size(); ++axis)
    for (int64_t x = 0; x < how.axes[axis].out; ++x) taps[axis].push_back(taps_at(how, how.axes[axis], x));
  return taps;
}

// The input numbers that each output mixes.
Count mixed(const Interpolation& how) {
  Count taps(1);
  for (const auto& axis : how.axes)
    if (changes(axis)) taps = taps * (how.mode == "cubic" ? 4 : how.mode == "linear" ? 2 : 1);
  return taps;
}

void pick(const std::vector<std::vector<Taps>>& taps, const TensorView& in, const TensorView& out) {
  const auto strides = in.shape().strides();
  const size_t size = element_size(in.dtype());
  for_each_index(out.shape(), [&](int64_t to, const std::vector<int64_t>& at) {
    int64_t from = 0;
    for (size_t axis = 0; axis < taps.size(); ++axis) from += taps[axis][size_t(at[axis])][0].place * strides[axis];
    copy_element(in, from, out, to, size);
  });
}

bool one_of(const std::string& text, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (text == name) return true;
  return false;
}

}  // namespace

Status check_interpolation(const Interpolation& how) {
  if (!one_of(how.mode, {"nearest", "linear", "cubic"}))
    return user_error(fmt::format("mode is {}, expected nearest, linear or cubic", in_quotes(how.mode)));
  if (!one_of(how.coordinates, {"half_pixel", "pytorch_half_pixel", "half_pixel_symmetric", "align_corners",
                                "asymmetric", "tf_crop_and_resize", "tf_half_pixel_for_nn"}))
    return user_error(fmt::format("coordinate_transformation_mode {} is not known", in_quotes(how.coordinates)));
  if (!one_of(how.nearest, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}))
    return user_error(fmt::format("nearest_mode {} is not known", in_quotes(how.nearest)));
  for (size_t i = 0; i < how.axes.size(); ++i)
    if (how.axes[i].in == 0 && how.axes[i].out > 0)
      return user_error(fmt::format("axis {} is empty and cannot grow to {}", i, how.axes[i].out));
  return {};
}

Cost interpolation_cost(const Interpolation& how, Count outputs) {
  const Count taps = mixed(how);
  if (taps == Count(1)) return {};
  return {{}, as<Flops>(outputs * (taps * 2 - Count(1)))};
}

Cost interpolation_grad_cost(const Interpolation& how, Count outputs) {
  const Count taps = mixed(how);
  return {{}, as<Flops>(outputs * taps * (taps == Count(1) ? 1 : 2))};
}

bool interpolate(const Interpolation& how, const TensorView& in, const TensorView& out) {
  if (!understood(how)) return false;
  if (out.size() == 0) return true;
  const auto taps = all_taps(how);
  bool inside = true;
  for (const auto& axis : taps)
    for (const Taps& at : axis) inside = inside && !at.empty();
  if (how.mode == "nearest" && inside) {
    pick(taps, in, out);
    return true;
  }
  return for_float(in.dtype(), [&](auto zero) { blend<decltype(zero)>(how, taps, in, out); });
}

bool interpolate_back(const Interpolation& how, const TensorView& dy, const TensorView& dx) {
  if (!understood(how) || dx.dtype() != dy.dtype()) return false;
  const auto strides = dx.shape().strides();
  std::vector<double> sums(size_t(dx.size()));
  return for_float(dy.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_outputs(all_taps(how), dy.shape(), [&](int64_t to, const std::vector<const Taps*>* here) {
      if (here)
        for_combinations(*here, strides, 0, 0, 1,
                         [&](int64_t from, double weight) { sums[size_t(from)] += weight * double(dy.as<T>()[to]); });
    });
    std::transform(sums.begin(), sums.end(), dx.as<T>(), [](double sum) { return T(sum); });
  });
}

}  // namespace plimsoll
