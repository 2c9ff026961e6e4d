#include "model/passes/fuse.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "model/ops/fused_activation.h"
#include "model/passes/merge_into_producer.h"

namespace plimsoll {
namespace {

bool takes(const Operation& before, const Operation& activation) {
  return before.op && !before.then && before.phase == Phase::forward &&
         std::find(before.op->takes.begin(), before.op->takes.end(), activation.op->activation) !=
             before.op->takes.end();
}

bool takes_attribute(const Operation& before, const Operation& activation) {
  return takes(before, activation) && !before.attributes.has("activation");
}

bool is_relu(const Program& /*program*/, const Operation& operation) {
  return operation.op && operation.op->activation == ActivationKind::relu && operation.phase == Phase::forward;
}

void put_after(Program& /*program*/, Operation& before, const Operation& relu) {
  before.then = relu.op;
  before.fused += "+relu";
  before.outputs[0] = relu.outputs[0];
  before.cost.flops += relu.cost.flops;
}

// A bound of clip, where it is known before the run.
std::optional<double> bound(const Program& program, const Operation& clip, size_t input, std::string_view attribute,
                            double fallback) {
  if (input >= clip.inputs.size() || !clip.inputs[input].present()) return clip.attributes.number(attribute, fallback);
  const TensorPtr& constant = program.value(clip.inputs[input]).constant;
  if (!constant || constant->size() != 1) return std::nullopt;
  return constant->doubles()[0];
}

std::optional<std::vector<double>> parameters_of(const Program& program, const Operation& activation) {
  if (activation.op->activation != ActivationKind::clip) return std::vector<double>{};
  constexpr double kFar = std::numeric_limits<float>::max();
  const auto low = bound(program, activation, 1, "min", -kFar), high = bound(program, activation, 2, "max", kFar);
  if (!low || !high) return std::nullopt;
  return std::vector{*low, *high};
}

// One that goes into the operation before it as an attribute.
bool is_attribute(const Program& program, const Operation& operation) {
  return operation.op && operation.op->activation != ActivationKind::relu &&
         !fused_name(operation.op->activation).empty() && operation.phase == Phase::forward &&
         is_floating(program.value(operation.outputs[0]).type->dtype) && parameters_of(program, operation);
}

void put_into(Program& program, Operation& before, const Operation& activation) {
  before.attributes.set("activation", std::string(fused_name(activation.op->activation)));
  const auto parameters = *parameters_of(program, activation);
  if (!parameters.empty()) before.attributes.set("activation_params", parameters);
  before.fused += "+" + std::string(activation.op->name);
  before.outputs[0] = activation.outputs[0];
  before.cost.flops += activation.cost.flops;
}

}  // namespace

int64_t fuse(Program& program) {
  return merge_into_producer(program, {takes, is_relu, put_after}) +
         merge_into_producer(program, {takes_attribute, is_attribute, put_into});
}

}  // namespace plimsoll
