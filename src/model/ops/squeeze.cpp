// squeeze: leaves out axes of size 1, all of them when none are named.
#include <fmt/format.h>

#include "model/ops/copy.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_squeeze(const OpCall& call) {
  const Shape& from = call.shape(0);
  PLIM_ASSIGN(auto given, call.integers("axes", 1));
  std::vector<bool> drop(size_t(from.rank()), false);
  if (given) {
    PLIM_ASSIGN(const auto axes, read_axes(*given, from.rank()));
    for (const int axis : axes) {
      if (from[axis] != 1)
        return user_error(fmt::format("axis {} of {} has size {}, expected 1", axis, from.text(), from[axis]));
      drop[size_t(axis)] = true;
    }
  } else {
    for (int axis = 0; axis < from.rank(); ++axis) drop[size_t(axis)] = from[axis] == 1;
  }
  Shape shape;
  for (int axis = 0; axis < from.rank(); ++axis)
    if (!drop[size_t(axis)]) shape.push_back(from[axis]);
  return std::vector{TensorType{call.dtype(0), shape}};
}

std::vector<OpExample> examples_squeeze() {
  return {{"axes as input", {}, {example::f32({2, 1, 4, 1}), example::ints({1, -1})}},
          {"axes as attribute", {{"axes", example::Ints{1}}}, {example::f32({2, 1, 4})}},
          {"every 1", {}, {example::f32({2, 1, 4, 1})}}};
}

}  // namespace

const Op& squeeze_op() {
  static const Op op{.name = "squeeze",
                     .before_activation = true,
                     .onnx = {"Squeeze"},
                     .roles = "xc",
                     .infer = infer_squeeze,
                     .reference = copy_reference,
                     .gradient = view_gradient,
                     .examples = examples_squeeze,
                     .storage = Storage::view};
  return op;
}

}  // namespace plimsoll
