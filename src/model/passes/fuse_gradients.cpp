#include "model/passes/fuse_gradients.h"

#include <optional>

#include "model/ops/batch_norm_training.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

constexpr size_t kBiasOfNorm = 2, kBiasOfGrad = 5;

// The norm whose activated result the gradient of the activation reads.
const Operation* norm_of(const Program& program, const Uses& uses, const Operation& activation_grad) {
  const int64_t producer = uses.producer(activation_grad.inputs[1]);
  if (producer == Uses::kNobody) return nullptr;
  const Operation& norm = program.operations[size_t(producer)];
  if (norm.op != &batch_norm_train() || norm.outputs[0] != activation_grad.inputs[1]) return nullptr;
  const ActivationKind kind = activation_grad.op->slope_of;
  const bool same = kind == ActivationKind::relu   ? norm.then != nullptr
                    : kind == ActivationKind::clip ? norm.attributes.has("activation")
                                                   : false;
  return same ? &norm : nullptr;
}

// The operation that went into this one.
std::optional<size_t> merge(Program& program, const Uses& uses, Operation& grad) {
  if (grad.op != &batch_norm_grad() || grad.inputs.size() != kBiasOfGrad) return std::nullopt;
  const int64_t producer = uses.producer(grad.inputs[0]);
  if (producer == Uses::kNobody || uses.reads(grad.inputs[0]) != 1) return std::nullopt;
  const Operation& before = program.operations[size_t(producer)];
  if (!before.op || before.inputs.size() < 2 || before.repeat != grad.repeat) return std::nullopt;
  const Operation* norm = norm_of(program, uses, before);
  if (!norm || norm->inputs[0] != grad.inputs[1]) return std::nullopt;
  const auto bounds = norm->attributes.numbers("activation_params");
  grad.attributes.set("low", bounds.empty() ? 0.0 : bounds[0]);
  if (!bounds.empty()) grad.attributes.set("high", bounds[1]);
  grad.inputs[0] = before.inputs[0];
  grad.inputs.push_back(norm->inputs[kBiasOfNorm]);
  grad.fused += "+" + std::string(before.op->name);
  grad.cost.flops += before.cost.flops;
  return size_t(producer);
}

}  // namespace

int64_t fuse_gradients(Program& program) {
  const Uses uses(program);
  std::vector<bool> gone(program.operations.size(), false);
  for (auto& operation : program.operations)
    if (const auto went = merge(program, uses, operation)) gone[*went] = true;
  return remove_operations(program, gone);
}

}  // namespace plimsoll
