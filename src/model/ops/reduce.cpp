#include "model/ops/reduce.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

Result<std::vector<bool>> read_reduced_axes(const OpCall& call) {
  const int rank = call.shape(0).rank();
  PLIM_ASSIGN(auto axes, call.integers("axes", 1));
  if (!axes || axes->empty()) {
    const bool none = call.attributes.integer("noop_with_empty_axes", 0) != 0;
    return std::vector<bool>(size_t(rank), !none);
  }
  std::vector<bool> goes(size_t(rank), false);
  for (const int64_t given : *axes) {
    PLIM_ASSIGN(const int axis, normalise_axis(given, rank));
    if (goes[size_t(axis)]) return user_error(fmt::format("axes {} name axis {} twice", fmt::join(*axes, ", "), axis));
    goes[size_t(axis)] = true;
  }
  return goes;
}

}  // namespace

Result<Reduction> read_reduction(const OpCall& call) {
  PLIM_ASSIGN(const auto goes, read_reduced_axes(call));
  const bool keep = call.attributes.integer("keepdims", 1) != 0;
  Reduction reduction;
  for (int axis = 0; axis < call.shape(0).rank(); ++axis) {
    const int64_t size = goes[size_t(axis)] ? 1 : call.shape(0)[axis];
    reduction.kept.push_back(size);
    if (keep || !goes[size_t(axis)]) reduction.out.push_back(size);
  }
  return reduction;
}

Result<std::vector<TensorType>> reduced_type(const OpCall& call) {
  PLIM_ASSIGN(const Reduction reduction, read_reduction(call));
  return std::vector{TensorType{call.dtype(0), reduction.out}};
}

std::vector<OpExample> reduce_examples() {
  using Ints = std::vector<int64_t>;
  const OpExample::Input x{{DType::f32, {2, 3, 4}}};
  const auto axis = std::make_shared<Tensor>(integer_tensor({-1}));
  return {{"everything", {{"keepdims", int64_t{0}}}, {x}},
          {"axes as attribute", {{"axes", Ints{-1, 1}}}, {x}},
          {"axes as input", {{"keepdims", int64_t{0}}}, {x, {axis->type, axis}}},
          {"nothing", {{"noop_with_empty_axes", int64_t{1}}}, {x}}};
}

}  // namespace plimsoll
