#include "model/ops/axis_slices.h"

namespace plimsoll {

Result<AxisSlices> axis_slices(const OpCall& call) {
  const Shape& shape = call.shape(0);
  const bool flatten = call.attributes.integer("flatten", 0) != 0;
  PLIM_ASSIGN(int axis, normalise_axis(call.attributes.integer("axis", flatten ? 1 : -1), shape.rank()));
  const int end = flatten ? shape.rank() : axis + 1;
  return AxisSlices{shape.elements(0, axis).value(), shape.elements(axis, end).value(),
                    shape.elements(end, shape.rank()).value()};
}

Result<std::vector<TensorType>> infer_by_slice(const OpCall& call) {
  PLIM_TRY(axis_slices(call));
  return std::vector{call.type(0)};
}

std::vector<OpExample> slice_examples() {
  return {{"last axis", {}, {{{DType::f32, {2, 5}}}}},
          {"middle axis", {{"axis", int64_t{1}}}, {{{DType::f32, {2, 3, 4}}}}},
          {"flattened", {{"axis", int64_t{1}}, {"flatten", int64_t{1}}}, {{{DType::f32, {2, 3, 4}}}}}};
}

}  // namespace plimsoll
