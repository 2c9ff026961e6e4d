#include "model/ops/all_ops.h"

#include <unordered_map>

#include "base/check.h"

// One line an operation, in alphabetical order: PLIM_OP(conv) is conv_op() in conv.cpp.
// clang-format off
#define PLIM_ALL_OPS(PLIM_OP) \
  PLIM_OP(add) \
  PLIM_OP(affine_grid) \
  PLIM_OP(blackman_window) \
  PLIM_OP(branch) \
  PLIM_OP(center_crop_pad) \
  PLIM_OP(compress) \
  PLIM_OP(concat) \
  PLIM_OP(constant) \
  PLIM_OP(constant_of_shape) \
  PLIM_OP(conv) \
  PLIM_OP(depth_to_space) \
  PLIM_OP(expand) \
  PLIM_OP(eye_like) \
  PLIM_OP(flatten) \
  PLIM_OP(gather) \
  PLIM_OP(gather_elements) \
  PLIM_OP(gather_nd) \
  PLIM_OP(gemm) \
  PLIM_OP(hamming_window) \
  PLIM_OP(hann_window) \
  PLIM_OP(identity) \
  PLIM_OP(loop) \
  PLIM_OP(multinomial) \
  PLIM_OP(non_max_suppression) \
  PLIM_OP(non_zero) \
  PLIM_OP(one_hot) \
  PLIM_OP(pad) \
  PLIM_OP(random_normal) \
  PLIM_OP(random_normal_like) \
  PLIM_OP(random_uniform) \
  PLIM_OP(random_uniform_like) \
  PLIM_OP(range) \
  PLIM_OP(relu) \
  PLIM_OP(reshape) \
  PLIM_OP(resize) \
  PLIM_OP(reverse_sequence) \
  PLIM_OP(scan) \
  PLIM_OP(scatter_elements) \
  PLIM_OP(scatter_nd) \
  PLIM_OP(shape) \
  PLIM_OP(size) \
  PLIM_OP(slice) \
  PLIM_OP(space_to_depth) \
  PLIM_OP(split) \
  PLIM_OP(squeeze) \
  PLIM_OP(tile) \
  PLIM_OP(top_k) \
  PLIM_OP(transpose) \
  PLIM_OP(trilu) \
  PLIM_OP(unique) \
  PLIM_OP(unsqueeze) \
  PLIM_OP(upsample) \
  /* end of the list */
// clang-format on

namespace plimsoll {

#define PLIM_DECLARE(name) const Op& name##_op();
PLIM_ALL_OPS(PLIM_DECLARE)

std::span<const Op* const> all_ops() {
#define PLIM_ENTRY(name) &name##_op(),
  static const Op* const kOps[] = {PLIM_ALL_OPS(PLIM_ENTRY)};
  return kOps;
}

const Op* find_op(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const Op*> map;
    for (const Op* op : all_ops()) PLIM_CHECK(map.emplace(op->name, op).second, "two operations of one name");
    return map;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

const Op* find_onnx_op(std::string_view onnx_name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const Op*> map;
    for (const Op* op : all_ops())
      for (const auto name : op->onnx) PLIM_CHECK(map.emplace(name, op).second, "two operations of one ONNX name");
    return map;
  }();
  const auto found = kByName.find(onnx_name);
  return found == kByName.end() ? nullptr : found->second;
}

const Op& op_named(std::string_view name) {
  const Op* op = find_op(name);
  PLIM_CHECK(op != nullptr, name);
  return *op;
}

}  // namespace plimsoll
