#include "model/ops/arg_extreme.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

Result<int> read_axis(const OpCall& call) {
  return normalise_axis(call.attributes.integer("axis", 0), call.shape(0).rank());
}

}  // namespace

Result<std::vector<TensorType>> arg_extreme_type(const OpCall& call) {
  PLIM_ASSIGN(const int axis, read_axis(call));
  if (call.shape(0)[axis] < 1)
    return user_error(fmt::format("axis {} of {} has no numbers to choose from", axis, call.shape(0).text()));
  const bool keep = call.attributes.integer("keepdims", 1) != 0;
  Shape shape;
  for (int i = 0; i < call.shape(0).rank(); ++i)
    if (i != axis) shape.push_back(call.shape(0)[i]);
    else if (keep) shape.push_back(1);
  return std::vector{TensorType{DType::i64, shape}};
}

Cost arg_extreme_cost(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements())}; }

AxisWalk arg_extreme_axis(const OpCall& call) {
  const Shape& shape = call.shape(0);
  const int axis = *read_axis(call);
  return {shape[axis], shape.elements(axis + 1, shape.rank()).value()};
}

std::vector<OpExample> arg_extreme_examples() {
  const OpExample::Input x{{DType::f32, {2, 3, 4}}};
  return {{"classes", {{"axis", int64_t{-1}}, {"keepdims", int64_t{0}}}, {x}},
          {"last of equals", {{"axis", int64_t{1}}, {"select_last_index", int64_t{1}}}, {{{DType::i64, {2, 3, 4}}}}}};
}

}  // namespace plimsoll
