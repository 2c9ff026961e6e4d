// slice: from start to end (exclusive) by step along each named axis. Negative places count from
// the end, places outside are moved to the nearest end, steps may be negative.
#include "model/ops/slice_cuts.h"

#include <fmt/format.h>

#include <limits>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

SliceCut cut_axis(int64_t start, int64_t end, int64_t step, int64_t size) {
  if (size == 0) return {};
  const auto from_front = [&](int64_t place) { return place < 0 ? place + size : place; };
  if (step > 0) {
    start = std::clamp<int64_t>(from_front(start), 0, size);
    end = std::clamp<int64_t>(from_front(end), 0, size);
    return {start, step, end > start ? (end - start - 1) / step + 1 : 0};
  }
  step = std::max(step, -std::numeric_limits<int64_t>::max());  // so that it can be negated
  start = std::clamp<int64_t>(from_front(start), 0, size - 1);
  end = std::clamp<int64_t>(from_front(end), -1, size - 1);
  return {start, step, start > end ? (start - end - 1) / -step + 1 : 0};
}

}  // namespace

Result<std::vector<SliceCut>> slice_cuts(const OpCall& call) {
  const Shape& from = call.shape(0);
  PLIM_ASSIGN(const auto starts, call.integers("starts", 1));
  PLIM_ASSIGN(const auto ends, call.integers("ends", 2));
  PLIM_ASSIGN(const auto stated_axes, call.integers("axes", 3));
  PLIM_ASSIGN(const auto stated_steps, call.integers("steps", 4));
  if (!starts || !ends) return user_error("no starts and ends are given");
  const size_t count = starts->size();
  const auto steps = stated_steps.value_or(std::vector<int64_t>(count, 1));
  if (ends->size() != count || steps.size() != count || (stated_axes && stated_axes->size() != count) ||
      (!stated_axes && int64_t(count) > from.rank()))
    return user_error(fmt::format("{} starts, {} ends, {} steps and {} axes do not agree for {}", count, ends->size(),
                                  steps.size(), stated_axes ? stated_axes->size() : size_t(from.rank()), from.text()));
  std::vector<int64_t> axes = stated_axes.value_or(std::vector<int64_t>{});
  for (size_t i = axes.size(); i < count; ++i) axes.push_back(int64_t(i));
  PLIM_ASSIGN(const auto places, read_axes(axes, from.rank()));
  std::vector<SliceCut> cuts;
  for (const int64_t size : from) cuts.push_back({0, 1, size});
  for (size_t i = 0; i < count; ++i) {
    if (steps[i] == 0) return user_error(fmt::format("the step along axis {} is 0", axes[i]));
    cuts[size_t(places[i])] = cut_axis((*starts)[i], (*ends)[i], steps[i], from[places[i]]);
  }
  return cuts;
}

namespace {

Result<std::vector<TensorType>> infer_slice(const OpCall& call) {
  PLIM_ASSIGN(const auto cuts, slice_cuts(call));
  Shape shape;
  for (const SliceCut& cut : cuts) shape.push_back(cut.count);
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_slice(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (out[0].size() == 0) return true;
  const auto cuts = *slice_cuts(call);
  auto strides = in[0].shape().strides();
  int64_t start = 0;
  for (size_t axis = 0; axis < cuts.size(); ++axis) {
    start += cuts[axis].start * strides[axis];
    strides[axis] *= cuts[axis].count > 1 ? cuts[axis].step : 0;  // a lone element may have any step
  }
  move_strided(in[0], start, strides, out[0]);
  return true;
}

std::vector<OpExample> examples_slice() {
  using example::Ints, example::f32, example::ints;
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  return {{"attributes", {{"starts", Ints{1}}, {"ends", Ints{3}}, {"axes", Ints{1}}}, {f32({2, 4, 3})}},
          {"inputs", {}, {f32({2, 6, 5}), ints({1, -4}), ints({kLast, -1}), ints({1, 2}), ints({2, 1})}},
          {"backwards", {}, {f32({2, 4}), ints({-1}), ints({-kLast}), ints({1}), ints({-1})}}};
}

// Reads only what it keeps.
Bytes moved_slice(const OpCall& call) { return call.outputs[0].bytes() * 2; }

}  // namespace

const Op& slice_op() {
  static const Op op{.name = "slice",
                     .kind = OpKind::movement,
                     .onnx = {"Slice"},
                     .roles = "xc",
                     .infer = infer_slice,
                     .reference = reference_slice,
                     .gradient = movement_gradient<slice_op>,
                     .examples = examples_slice,
                     .moved = moved_slice,
                     .strided_view = true};
  return op;
}

}  // namespace plimsoll
