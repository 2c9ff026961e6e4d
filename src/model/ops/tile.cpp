// tile: a tensor repeated so many times along each axis.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_tile(const OpCall& call) {
  const Shape& from = call.shape(0);
  PLIM_ASSIGN(const auto repeats, call.integers("repeats", 1));
  if (!repeats || int(repeats->size()) != from.rank())
    return user_error(
        fmt::format("{} repeats are given for {} (rank {})", repeats ? repeats->size() : 0, from.text(), from.rank()));
  Shape shape;
  for (int axis = 0; axis < from.rank(); ++axis) {
    const int64_t times = (*repeats)[size_t(axis)];
    if (times < 0) return user_error(fmt::format("repeats are {}, expected at least 0", fmt::join(*repeats, ", ")));
    shape.push_back((Count(from[axis]) * times).value());
  }
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_tile(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  const size_t size = element_size(in[0].dtype());
  const Shape& from = in[0].shape();
  const auto strides = from.strides();
  for_each_index(out[0].shape(), [&](int64_t to, const std::vector<int64_t>& index) {
    int64_t source = 0;
    for (size_t axis = 0; axis < index.size(); ++axis) source += index[axis] % from[int(axis)] * strides[axis];
    copy_element(in[0], source, out[0], to, size);
  });
  return true;
}

std::vector<OpExample> examples_tile() {
  return {{"columns", {}, {example::f32({2, 3}), example::ints({1, 2})}},
          {"both axes", {}, {example::f32({2, 2}), example::ints({3, 2})}}};
}

}  // namespace

const Op& tile_op() {
  static const Op op{.name = "tile",
                     .onnx = {"Tile"},
                     .roles = "xc",
                     .required_inputs = 2,
                     .infer = infer_tile,
                     .reference = reference_tile,
                     .gradient = movement_gradient<tile_op>,
                     .examples = examples_tile};
  return op;
}

}  // namespace plimsoll
