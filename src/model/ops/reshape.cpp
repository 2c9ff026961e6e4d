// reshape: the same numbers under another shape. 0 keeps a size, -1 takes what is left.
#include <fmt/format.h>

#include <cstring>

#include "model/ir/op.h"
#include "model/ops/copy.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_reshape(const OpCall& call) {
  PLIM_ASSIGN(auto wanted, call.integers("shape", 1));
  if (!wanted) return user_error("no target shape is given");
  const bool keep_zero = call.attributes.integer("allowzero", 0) != 0;
  const Shape& from = call.shape(0);
  Shape shape;
  int open_axis = -1;
  for (int axis = 0; axis < int(wanted->size()); ++axis) {
    int64_t size = (*wanted)[size_t(axis)];
    if (size == 0 && !keep_zero) {
      if (axis >= from.rank())
        return user_error(fmt::format("size 0 at axis {} has nothing to copy from {}", axis, from.text()));
      size = from[axis];
    } else if (size == -1 && open_axis < 0) {
      open_axis = axis;
      size = 1;
    } else if (size < 0) {
      return user_error(
          fmt::format("the target {} has more than one -1 or another negative size", fmt::join(*wanted, "x")));
    }
    shape.push_back(size);
  }
  const Count have = from.elements(), need = shape.elements();
  if (open_axis >= 0 && need.value() > 0 && !need.overflowed() && have.value() % need.value() == 0)
    shape[open_axis] = have.value() / need.value();
  if (shape.elements() != have)
    return user_error(
        fmt::format("{} ({} numbers) does not reshape to {}", from.text(), have.value(), fmt::join(*wanted, "x")));
  return std::vector{TensorType{call.dtype(0), shape}};
}

std::vector<OpExample> examples_reshape() {
  const auto shape = std::make_shared<Tensor>(integer_tensor({0, -1}));
  return {{"flatten", {}, {{{DType::f32, {2, 3, 4}}}, {shape->type, shape}}}};
}

}  // namespace

const Op& reshape_op() {
  static const Op op{.name = "reshape",
                     .before_activation = true,
                     .onnx = {"Reshape"},
                     .roles = "xc",
                     .infer = infer_reshape,
                     .reference = copy_reference,
                     .gradient = view_gradient,
                     .examples = examples_reshape,
                     .storage = Storage::view};
  return op;
}

}  // namespace plimsoll
