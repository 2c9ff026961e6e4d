#include "model/ops/adjoint.h"

namespace plimsoll {
namespace {

OpCall with_first(const OpCall& backward, const TensorType& first) {
  std::vector<const TensorType*> types{&first};
  std::vector<const Tensor*> constants{nullptr};
  for (size_t i = 1; i < backward.input_count(); ++i) {
    types.push_back(backward.has(i) ? &backward.type(i) : nullptr);
    constants.push_back(backward.constant(i));
  }
  return OpCall(backward.attributes, std::move(types), std::move(constants), 1);
}

}  // namespace

ForwardCall::ForwardCall(const OpCall& backward)
    : first_{backward.dtype(0), Shape(backward.attributes.integers("input_shape"))},
      call_(with_first(backward, first_)) {}

Op adjoint_op(std::string_view name, CostRule cost, Reference reference) {
  return {.name = name, .onnx = {}, .roles = "xc", .infer = infer_moved_back, .cost = cost, .reference = reference};
}

}  // namespace plimsoll
