// grid_sample: reads images (batch, channels, spatial …) at the places that a grid (batch, output …,
// coordinates from -1 to 1, the last axis first) names.
// Cost: 2 for each neighbour that an output mixes: 1, 2 or 4 along each axis.
#include <fmt/format.h>

#include "base/text.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
#include "model/ops/sample_at.h"
#include "model/ops/window.h"

namespace plimsoll {
namespace {

struct Reading {
  SampleMode interpolation = SampleMode::linear;
  Outside outside = Outside::zeros;
  bool align_corners = false;
};

Result<Reading> reading_of(const OpCall& call) {
  Reading reading;
  reading.align_corners = call.attributes.integer("align_corners", 0) != 0;
  const std::string mode = call.attributes.text("mode", "linear");
  if (mode == "nearest") reading.interpolation = SampleMode::nearest;
  else if (mode == "cubic" || mode == "bicubic") reading.interpolation = SampleMode::cubic;
  else if (mode != "linear" && mode != "bilinear")
    return user_error(fmt::format("mode is {}, expected linear, nearest or cubic", in_quotes(mode)));
  const std::string padding = call.attributes.text("padding_mode", "zeros");
  if (padding == "border") reading.outside = Outside::border;
  else if (padding == "reflection")
    reading.outside = reading.align_corners ? Outside::mirror_at_centres : Outside::mirror;
  else if (padding != "zeros")
    return user_error(fmt::format("padding_mode is {}, expected zeros, border or reflection", in_quotes(padding)));
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

// Of so many sums over neighbours in as many spatial axes as the grid has.
Cost mixing_cost(const OpCall& call, Count sums) {
  const SampleMode interpolation = reading_of(call)->interpolation;
  const int64_t each = interpolation == SampleMode::nearest ? 1 : interpolation == SampleMode::linear ? 2 : 4;
  Count flops = sums * 2;
  for (int axis = 2; axis < call.shape(1).rank(); ++axis) flops = flops * each;
  return {{}, as<Flops>(flops)};
}

Cost cost_grid_sample(const OpCall& call) { return mixing_cost(call, call.outputs[0].elements()); }

// Visits every output: f(its offset, the first number of its plane, where its coordinates begin in the grid, its
// place in the plane).
template <class F>
void for_outputs(const Reading& reading, const Shape& x, const Shape& y, const std::vector<double>& grid, F&& f) {
  const auto size = spatial(x);
  const size_t axes = size.size();
  const int64_t plane = x.elements(2, x.rank()).value(), positions = y.elements(2, y.rank()).value();
  const int64_t total = y.elements().value();
  std::vector<double> place(axes);
  for (int64_t i = 0; i < total; ++i) {
    const int64_t p = i / positions, sample = p / x[1];
    const auto first = size_t(sample * positions + i % positions) * axes;
    for (size_t a = 0; a < axes; ++a) {
      const double n = double(size[a]), coordinate = grid[first + axes - 1 - a];
      place[a] = reading.align_corners ? (coordinate + 1) / 2 * (n - 1) : ((coordinate + 1) * n - 1) / 2;
    }
    f(size_t(i), size_t(p * plane), first, place);
  }
}

bool reference_grid_sample(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Reading reading = *reading_of(call);
  const auto size = spatial(in[0].shape());
  const auto x = read_doubles(in[0]), grid = read_doubles(in[1]);
  std::vector<double> y(size_t(out[0].size()));
  for_outputs(reading, in[0].shape(), out[0].shape(), grid, [&](size_t i, size_t plane, size_t, const auto& place) {
    y[i] = sample_at(x.data() + plane, size, place, reading.interpolation, reading.outside);
  });
  write_doubles(out, 0, y);
  return true;
}

// dy, grid → dx: each number of dy, spread over the neighbours that it was mixed from.
bool reference_grid_sample_grad_data(const OpCall& call, std::span<const TensorView> in,
                                     std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Reading reading = *reading_of(call);
  const auto size = spatial(out[0].shape());
  const auto dy = read_doubles(in[0]), grid = read_doubles(in[1]);
  std::vector<double> dx(size_t(out[0].size()));
  for_outputs(reading, out[0].shape(), in[0].shape(), grid, [&](size_t i, size_t plane, size_t, const auto& place) {
    for (const auto& near : neighbours_at(size, place, reading.interpolation, reading.outside))
      dx[plane + size_t(near.offset)] += near.weight * dy[i];
  });
  write_doubles(out, 0, dx);
  return true;
}

// dy, grid, x → the gradient of the grid.
bool reference_grid_sample_grad_grid(const OpCall& call, std::span<const TensorView> in,
                                     std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Reading reading = *reading_of(call);
  const auto size = spatial(in[2].shape());
  const auto dy = read_doubles(in[0]), grid = read_doubles(in[1]), x = read_doubles(in[2]);
  std::vector<double> dgrid(size_t(out[0].size()));
  for_outputs(reading, in[2].shape(), in[0].shape(), grid,
              [&](size_t i, size_t plane, size_t first, const auto& place) {
                for (const auto& near : neighbours_at(size, place, reading.interpolation, reading.outside))
                  for (size_t a = 0; a < size.size(); ++a) {
                    const double step = double(reading.align_corners ? size[a] - 1 : size[a]) / 2;
                    dgrid[first + size.size() - 1 - a] += dy[i] * x[plane + size_t(near.offset)] * near.slope[a] * step;
                  }
              });
  write_doubles(out, 0, dgrid);
  return true;
}

void gradient_grid_sample(Backward& backward) {
  static const Op data{.name = "grid_sample_grad_data",
                       .onnx = {},
                       .required_inputs = 2,
                       .infer = infer_moved_back,
                       .cost = [](const OpCall& call) { return mixing_cost(call, call.type(0).elements()); },
                       .reference = reference_grid_sample_grad_data};
  static const Op of_grid{
      .name = "grid_sample_grad_grid",
      .onnx = {},
      .required_inputs = 3,
      .infer = [](const OpCall& call) -> Result<std::vector<TensorType>> { return std::vector{call.type(1)}; },
      .cost =
          [](const OpCall& call) { return mixing_cost(call, call.type(0).elements() * (call.shape(1).rank() - 2)); },
      .reference = reference_grid_sample_grad_grid};
  const ValueId dy = backward.gradient(), grid = backward.input(1);
  if (backward.wants(0))
    backward.set(0, backward.emit(data, {dy, grid},
                                  with(backward.attributes(), "input_shape", sizes_of(backward.call().shape(0)))));
  // The nearest number stays the same while the grid moves a little.
  if (backward.wants(1) && reading_of(backward.call())->interpolation != SampleMode::nearest)
    backward.set(1, backward.emit(of_grid, {dy, grid, backward.input(0)}, backward.attributes()));
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
                     .gradient = gradient_grid_sample,
                     .examples = examples_grid_sample};
  return op;
}

}  // namespace plimsoll
