// affine_grid: where each output pixel (or voxel) of an affine map reads, as coordinates from -1 to 1.
// Each coordinate is a row of theta times (x, y, 1): 2 operations for each spatial axis.
#include <fmt/format.h>

#include "model/ops/adjoint.h"
#include "model/ops/doubles.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_affine_grid(const OpCall& call) {
  const Shape& theta = call.shape(0);
  PLIM_ASSIGN(const auto size, call.integers("size", 1));
  const auto axes = int64_t(size->size()) - 2;
  if (axes < 2 || axes > 3 || theta != Shape{(*size)[0], axes, axes + 1})
    return user_error(
        fmt::format("theta {} and size {} do not agree: expected batch x 2 x 3 with 4 sizes or batch x 3 "
                    "x 4 with 5",
                    theta.text(), fmt::join(*size, "x")));
  Shape shape{theta[0]};
  for (int64_t i = 0; i < axes; ++i) {
    if ((*size)[size_t(i) + 2] < 0) return user_error(fmt::format("size {} is negative", fmt::join(*size, "x")));
    shape.push_back((*size)[size_t(i) + 2]);
  }
  shape.push_back(axes);
  return std::vector{TensorType{call.dtype(0), shape}};
}

// Visits every product: f(offset in the grid, offset in theta, factor).
template <class F>
void for_products(const Attributes& attributes, const Shape& grid, F&& f) {
  const auto axes = size_t(grid[grid.rank() - 1]);
  const bool corners = attributes.integer("align_corners", 0) != 0;
  const auto place = [&](int64_t i, int64_t size) {
    if (!corners) return (2.0 * double(i) + 1) / double(size) - 1;
    return size > 1 ? 2.0 * double(i) / double(size - 1) - 1 : -1.0;
  };
  for_each_index(grid, [&](int64_t to, const std::vector<int64_t>& at) {
    const auto row = size_t(at[0] * int64_t(axes) + at.back()) * (axes + 1);
    f(size_t(to), row + axes, 1.0);
    for (size_t k = 0; k < axes; ++k)  // x is the last spatial axis
      f(size_t(to), row + k, place(at[axes - k], grid[int(axes - k)]));
  });
}

bool reference_affine_grid(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!is_floating(in[0].dtype()) || !all_numbers(in, out)) return false;
  const auto theta = read_doubles(in[0]);
  std::vector<double> grid(size_t(out[0].size()));
  for_products(call.attributes, out[0].shape(),
               [&](size_t to, size_t from, double factor) { grid[to] += theta[from] * factor; });
  write_doubles(out, 0, grid);
  return true;
}

bool reference_affine_grid_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]);
  std::vector<double> theta(size_t(out[0].size()));
  for_products(call.attributes, in[0].shape(),
               [&](size_t to, size_t from, double factor) { theta[from] += dy[to] * factor; });
  write_doubles(out, 0, theta);
  return true;
}

void gradient_affine_grid(Backward& backward) {
  const auto cost = [](const OpCall& call) {
    const Shape& grid = call.shape(0);
    return Cost{{}, as<Flops>(grid.elements() * (2 * grid[grid.rank() - 1] + 1))};
  };
  static const Op grad = adjoint_op("affine_grid_grad", cost, reference_affine_grid_grad);
  emit_moved_back(backward, grad);
}

Cost cost_affine_grid(const OpCall& call) {
  return {{}, as<Flops>(call.outputs[0].elements() * (2 * call.shape(0)[1]))};
}

std::vector<OpExample> examples_affine_grid() {
  return {{"2-D", {}, {example::f32({2, 2, 3}), example::ints({2, 3, 4, 5})}, 1, false},
          {"3-D corners",
           {{"align_corners", int64_t{1}}},
           {example::f32({2, 3, 4}), example::ints({2, 3, 2, 4, 5})},
           1,
           false}};
}

}  // namespace

const Op& affine_grid_op() {
  static const Op op{.name = "affine_grid",
                     .onnx = {"AffineGrid"},
                     .roles = "xc",
                     .required_inputs = 2,
                     .infer = infer_affine_grid,
                     .cost = cost_affine_grid,
                     .reference = reference_affine_grid,
                     .gradient = gradient_affine_grid,
                     .examples = examples_affine_grid};
  return op;
}

}  // namespace plimsoll
