#include "model/passes/fuse.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include "model/passes/merge_into_producer.h"

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 5> kBefore = {"conv", "conv_norm", "batch_norm", "batch_norm_train", "add"};

bool takes_relu(const Operation& operation) {
  return operation.op && !operation.then && operation.phase == Phase::forward &&
         std::find(kBefore.begin(), kBefore.end(), operation.op->name) != kBefore.end();
}

bool is_relu(const Program& /*program*/, const Operation& operation) {
  return operation.op && operation.op->name == "relu" && operation.phase == Phase::forward;
}

void put_behind(Program& /*program*/, Operation& before, const Operation& relu) {
  before.then = relu.op;
  before.op_name += "+relu";
  before.outputs[0] = relu.outputs[0];
  before.cost.flops += relu.cost.flops;
}

// Activations that a convolution takes in as attributes, under the names that they have there.
struct Known {
  std::string_view op, name;
};
constexpr Known kActivations[] = {{"clip", "Clip"}, {"hard_swish", "HardSwish"}, {"silu", "Silu"}};

std::string_view activation_of(const Operation& operation) {
  for (const auto& known : kActivations)
    if (operation.op && operation.op->name == known.op) return known.name;
  return {};
}

bool takes_activation(const Operation& operation) {
  return operation.op && operation.op->name == "conv" && !operation.then && operation.phase == Phase::forward &&
         !operation.attributes.has("activation");
}

bool takes_clip(const Operation& operation) {
  return operation.op && operation.op->name == "batch_norm_train" && !operation.then &&
         operation.phase == Phase::forward && !operation.attributes.has("activation");
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
  if (activation.op->name != "clip") return std::vector<double>{};
  constexpr double kFar = std::numeric_limits<float>::max();
  const auto low = bound(program, activation, 1, "min", -kFar), high = bound(program, activation, 2, "max", kFar);
  if (!low || !high) return std::nullopt;
  return std::vector{*low, *high};
}

bool is_activation(const Program& program, const Operation& operation) {
  return !activation_of(operation).empty() && operation.phase == Phase::forward &&
         is_floating(program.value(operation.outputs[0]).type->dtype) && parameters_of(program, operation);
}

bool is_clip(const Program& program, const Operation& operation) {
  return operation.op && operation.op->name == "clip" && is_activation(program, operation);
}

void put_into(Program& program, Operation& before, const Operation& activation) {
  before.attributes.set("activation", std::string(activation_of(activation)));
  const auto parameters = *parameters_of(program, activation);
  if (!parameters.empty()) before.attributes.set("activation_params", parameters);
  before.op_name += "+" + std::string(activation.op->name);
  before.outputs[0] = activation.outputs[0];
  before.cost.flops += activation.cost.flops;
}

}  // namespace

int64_t fuse(Program& program) {
  return merge_into_producer(program, {takes_relu, is_relu, put_behind}) +
         merge_into_producer(program, {takes_activation, is_activation, put_into}) +
         merge_into_producer(program, {takes_clip, is_clip, put_into});
}

}  // namespace plimsoll
