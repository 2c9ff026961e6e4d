// flatten: a matrix of the same numbers, the axes before `axis` making its rows.
#include <fmt/format.h>

#include "model/ops/copy.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_flatten(const OpCall& call) {
  const Shape& from = call.shape(0);
  const int64_t axis = call.attributes.integer("axis", 1);
  if (axis < -from.rank() || axis > from.rank())
    return user_error(fmt::format("axis {} is outside {} (rank {})", axis, from.text(), from.rank()));
  const int cut = int(axis < 0 ? axis + from.rank() : axis);
  const Shape shape{from.elements(0, cut).value(), from.elements(cut, from.rank()).value()};
  return std::vector{TensorType{call.dtype(0), shape}};
}

std::vector<OpExample> examples_flatten() {
  return {{"image", {}, {example::f32({2, 3, 4, 5})}},
          {"last axis", {{"axis", int64_t{-1}}}, {example::f32({2, 3, 4})}}};
}

}  // namespace

const Op& flatten_op() {
  static const Op op{.name = "flatten",
                     .before_activation = true,
                     .onnx = {"Flatten"},
                     .infer = infer_flatten,
                     .reference = copy_reference,
                     .gradient = view_gradient,
                     .examples = examples_flatten,
                     .storage = Storage::view};
  return op;
}

}  // namespace plimsoll
