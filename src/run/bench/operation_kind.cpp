#include "run/bench/operation_kind.h"

namespace plimsoll {
namespace {

// Empty for kinds whose operations go by their own names.
std::string_view kind_name(OpKind kind) {
  switch (kind) {
    case OpKind::other: return {};
    case OpKind::element:
    case OpKind::nothing: return "element-wise";
    case OpKind::convolution: return "convolution forward";
    case OpKind::conv_grad_data: return "convolution backward data";
    case OpKind::conv_grad_weights: return "convolution backward weights";
    case OpKind::conv_transpose: return "transposed convolution";
    case OpKind::product: return "matrix product";
    case OpKind::attention:
    case OpKind::fused_attention:
    case OpKind::fused_attention_grad: return "attention";
    case OpKind::batch_norm: return "batch norm";
    case OpKind::norm: return "other normalisation";
    case OpKind::softmax: return "softmax";
    case OpKind::pool: return "pooling";
    case OpKind::softmax_loss:
    case OpKind::loss: return "loss";
    case OpKind::movement: return "moving numbers";
    case OpKind::reduction: return "sums";
    case OpKind::reorder: return "reorder";
    case OpKind::update: return "update";
  }
  return {};
}

bool is_convolution(OpKind kind) { return kind >= OpKind::convolution && kind <= OpKind::conv_transpose; }

}  // namespace

std::string operation_kind(const Operation& operation, std::string_view way) {
  if (operation.phase == Phase::update) return "update";
  if (!operation.op) return operation.op_name;
  const OpKind kind = operation.op->kind;
  std::string name(kind_name(kind));
  if (is_convolution(kind)) return way.empty() ? name : name + ", " + std::string(way);
  if (name.empty()) name = operation.op->elementwise ? "element-wise" : operation.op->name;
  const bool one_way = kind == OpKind::loss || kind == OpKind::softmax_loss || kind == OpKind::reorder;
  return operation.phase == Phase::backward && !one_way ? name + " backward" : name;
}

}  // namespace plimsoll
