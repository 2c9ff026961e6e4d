// clip: x kept within min … max, either of them optional: attributes up to opset 6 (numbers), inputs from 11 on
// (one number each). Relu6 is this.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/saturating.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_clip(const OpCall& call) {
  for (size_t i = 1; i < 3; ++i)
    if (call.has(i) && call.type(i).elements() != Count(1))
      return user_error(
          fmt::format("{} has the shape {}, expected one number", i == 1 ? "min" : "max", call.shape(i).text()));
  return same_type(call);
}

template <class T>
T bound(const OpCall& call, std::span<const TensorView> in, size_t i, std::string_view name, T fallback) {
  if (in.size() > i && in[i].present()) return *in[i].as<T>();
  return call.attributes.has(name) ? convert_number<T>(call.attributes.number(name, double(fallback))) : fallback;
}

bool reference_clip(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  for (const auto& input : in)
    if (input.present() && input.dtype() != in[0].dtype()) return false;
  return for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    using Limits = std::numeric_limits<T>;
    const T low = bound(call, in, 1, "min", Limits::has_infinity ? T(-Limits::infinity()) : Limits::lowest());
    const T high = bound(call, in, 2, "max", Limits::has_infinity ? Limits::infinity() : Limits::max());
    for (int64_t i = 0; i < out[0].size(); ++i)  // bounds that cross: the upper one wins
      out[0].as<T>()[i] = std::min(std::max(in[0].as<T>()[i], low), high);
  });
}

// dy where y is within the bounds and not on one, from dy, y and the bounds.
bool reference_clip_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const double low = read_double(in, 2, call.attributes.number("min", -kFar));
  const double high = read_double(in, 3, call.attributes.number("max", kFar));
  auto dx = read_doubles(in[0]);
  const auto y = read_doubles(in[1]);
  for (size_t i = 0; i < dx.size(); ++i)
    if (!(y[i] > low && y[i] < high)) dx[i] = 0;
  write_doubles(out, 0, dx);
  return true;
}

const Op& clip_grad() {
  static const Op op{.name = "clip_grad",
                     .slope_of = ActivationKind::clip,
                     .onnx = {},
                     .roles = "xxcc",
                     .required_inputs = 2,
                     .infer = same_type,
                     .cost = elementwise_cost<2>,
                     .reference = reference_clip_grad,
                     .elementwise = true};
  return op;
}

void gradient_clip(Backward& backward) {
  if (backward.wants(0))
    backward.set(
        0, backward.emit(clip_grad(), {backward.gradient(), backward.output(0), backward.input(1), backward.input(2)},
                         backward.attributes()));
}

std::vector<OpExample> examples_clip() {
  return {{"relu6", {{"min", 0.0}, {"max", 6.0}}, {{{DType::f32, {2, 3, 4}}}}},
          {"bounds as inputs", {}, {{{DType::f32, {2, 3}}}, {{DType::f32, {}}}, {{DType::f32, {}}}}},
          {"integers", {{"min", 1.0}}, {{{DType::i64, {2, 3}}}}}};
}

}  // namespace

const Op& clip_op() {
  static const Op op{.name = "clip",
                     .activation = ActivationKind::clip,
                     .onnx = {"Clip"},
                     .roles = "xc",
                     .infer = infer_clip,
                     .cost = elementwise_cost<2>,
                     .reference = reference_clip,
                     .gradient = gradient_clip,
                     .examples = examples_clip,
                     .storage = Storage::in_place,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
