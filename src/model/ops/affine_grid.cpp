// affine_grid: where each output pixel (or voxel) of an affine map reads, as coordinates from -1 to 1.
// Each coordinate is a row of theta times (x, y, 1): 2 operations for each spatial axis.
#include <fmt/format.h>

#include "model/ir/for_type.h"
#include "model/ops/example.h"
#include "model/ops/move.h"

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

bool reference_affine_grid(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const auto axes = size_t(in[0].shape()[1]);
  const bool corners = call.attributes.integer("align_corners", 0) != 0;
  const auto place = [&](int64_t i, int64_t size) {
    if (!corners) return (2.0 * double(i) + 1) / double(size) - 1;
    return size > 1 ? 2.0 * double(i) / double(size - 1) - 1 : -1.0;
  };
  return for_float(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for_each_index(out[0].shape(), [&](int64_t to, const std::vector<int64_t>& at) {
      const T* row = in[0].as<T>() + (at[0] * int64_t(axes) + at.back()) * int64_t(axes + 1);
      double sum = double(row[axes]);
      for (size_t k = 0; k < axes; ++k)  // x is the last spatial axis
        sum += double(row[k]) * place(at[axes - k], out[0].shape()[int(axes - k)]);
      out[0].as<T>()[to] = T(sum);
    });
  });
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
                     .examples = examples_affine_grid};
  return op;
}

}  // namespace plimsoll
