// grid_sample: reads images (batch, channels, spatial …) at the places that a grid (batch, output …,
// coordinates from -1 to 1, the last axis first) names.
// Cost: 2 for each neighbour that an output mixes: 1, 2 or 4 along each axis.
#include <fmt/format.h>

#include "base/text.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/sample_at.h"
#include "model/ops/window.h"

namespace plimsoll {
namespace {

struct Reading {
  Interpolation interpolation = Interpolation::linear;
  Outside outside = Outside::zeros;
  bool align_corners = false;
};

Result<Reading> reading_of(const OpCall& call) {
  Reading reading;
  reading.align_corners = call.attributes.integer("align_corners", 0) != 0;
  const std::string mode = call.attributes.text("mode", "linear");
  if (mode == "nearest") reading.interpolation = Interpolation::nearest;
  else if (mode == "cubic" || mode == "bicubic") reading.interpolation = Interpolation::cubic;
  else if (mode != "linear" && mode != "bilinear")
    return user_error(fmt::format("mode is {}, expected linear, nearest or cubic", quoted(mode)));
  const std::string padding = call.attributes.text("padding_mode", "zeros");
  if (padding == "border") reading.outside = Outside::border;
  else if (padding == "reflection")
    reading.outside = reading.align_corners ? Outside::mirror_at_centres : Outside::mirror;
  else if (padding != "zeros")
    return user_error(fmt::format("padding_mode is {}, expected zeros, border or reflection", quoted(padding)));
  return reading;
}

Result<std::vector<TensorType>> infer_grid_sample(const OpCall& call) {
  const Shape &x = call.shape(0), &grid = call.shape(1);
  const int axes = x.rank() - 2;
  if (axes < 1 || grid.rank() != x.rank() || grid[0] != x[0] || grid[axes + 1] != axes)
    return user_error(
        fmt::format("input {} and grid {}: expected (batch, channels, spatial …) and (batch, output …, "
                    "coordinates)",
                    x.text(), grid.text()));
  for (const int64_t size : spatial(x))
    if (size < 1) return user_error(fmt::format("the input has the shape {}, expected sizes of at least 1", x.text()));
  PLIM_TRY(reading_of(call));
  Shape shape{x[0], x[1]};
  for (int axis = 1; axis <= axes; ++axis) shape.push_back(grid[axis]);
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_grid_sample(const OpCall& call) {
  const Interpolation interpolation = reading_of(call)->interpolation;
  const int64_t each = interpolation == Interpolation::nearest ? 1 : interpolation == Interpolation::linear ? 2 : 4;
  Count flops = call.outputs[0].elements() * 2;
  for (int axis = 2; axis < call.shape(0).rank(); ++axis) flops = flops * each;
  return {{}, as<Flops>(flops)};
}

bool reference_grid_sample(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Reading reading = *reading_of(call);
  const Shape &shape = in[0].shape(), &to = out[0].shape();
  const auto size = spatial(shape);
  const size_t axes = size.size();
  const int64_t plane = shape.elements(2, shape.rank()).value(), positions = to.elements(2, to.rank()).value();
  const auto x = read_doubles(in[0]), grid = read_doubles(in[1]);
  std::vector<double> y(size_t(out[0].size())), place(axes);
  for (int64_t i = 0; i < int64_t(y.size()); ++i) {
    const int64_t p = i / positions, sample = p / shape[1];
    const double* at = grid.data() + (sample * positions + i % positions) * int64_t(axes);
    for (size_t a = 0; a < axes; ++a) {
      const double n = double(size[a]), coordinate = at[axes - 1 - a];
      place[a] = reading.align_corners ? (coordinate + 1) / 2 * (n - 1) : ((coordinate + 1) * n - 1) / 2;
    }
    y[size_t(i)] = sample_at(x.data() + p * plane, size, place, reading.interpolation, reading.outside);
  }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_grid_sample() {
  using example::f32;
  return {{"bilinear", {}, {f32({2, 3, 4, 5}), f32({2, 3, 2, 2})}},
          {"cubic, mirrored",
           {{"mode", std::string("cubic")}, {"padding_mode", std::string("reflection")}},
           {f32({2, 3, 4, 5}), f32({2, 6, 7, 2})}},
          {"nearest in 3-D",
           {{"mode", std::string("nearest")}, {"align_corners", int64_t{1}}},
           {f32({2, 1, 3, 4, 5}), f32({2, 2, 2, 2, 3})}}};
}

}  // namespace

const Op& grid_sample_op() {
  static const Op op{.name = "grid_sample",
                     .onnx = {"GridSample", "com.microsoft:GridSample"},
                     .required_inputs = 2,
                     .infer = infer_grid_sample,
                     .cost = cost_grid_sample,
                     .reference = reference_grid_sample,
                     .examples = examples_grid_sample};
  return op;
}

}  // namespace plimsoll
