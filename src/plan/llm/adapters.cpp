#include "plan/llm/adapters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/check.h"
#include "base/text.h"
#include "model/ops/all_ops.h"
#include "model/passes/promote_types.h"
#include "plan/llm/freeze_parameters.h"

namespace plimsoll {
namespace {

class Adaptation {
 public:
  Adaptation(Program& program, const Tuning& tuning, const TrainingHabits& habits)
      : program_(program), tuning_(tuning), habits_(habits) {}

  Status run() {
    std::vector<Operation> before = std::move(program_.operations);
    program_.operations.clear();
    for (auto& value : program_.values)
      if (value.role == Role::parameter) value.role = Role::buffer;
    for (auto& operation : before) {
      const bool adapted = wants(operation);
      const ValueId output = operation.outputs.empty() ? ValueId{} : operation.outputs[0];
      if (adapted) operation.outputs[0] = new_value(operation.name + ".frozen", *program_.value(output).type);
      program_.operations.push_back(operation);
      if (adapted) add_adapter(operation, output);
    }
    if (layers_ == 0)
      return user_error(
          fmt::format("no layer of the network is a {}",
                      tuning_.targets.empty() ? "linear layer of a block" : listed_targets(tuning_.targets)),
          "all adapts every layer of a block");
    return {};
  }

 private:
  static std::string listed_targets(const std::vector<std::string>& targets) {
    return fmt::format("{} projection", fmt::join(targets, ", "));
  }

  static bool in_block(const std::string& name) {
    for (size_t i = 1; i < name.size(); ++i)
      if (name[i - 1] == '.' && std::isdigit(static_cast<unsigned char>(name[i]))) return true;
    return false;
  }

  bool wants(const Operation& operation) const {
    if (operation.op_name != "linear" || !in_block(operation.name) || operation.inputs.size() < 2) return false;
    const auto targets = targets_of(operation.name);
    if (tuning_.targets.empty()) return !operation.name.ends_with(".gate") && !operation.name.ends_with(".router");
    return std::any_of(targets.begin(), targets.end(), [&](std::string_view target) {
      return std::find(tuning_.targets.begin(), tuning_.targets.end(), target) != tuning_.targets.end();
    });
  }

  ValueId new_value(const std::string& name, const TensorType& type, Role role = Role::activation) {
    return program_.add({name, role, type, nullptr});
  }

  ValueId parameter(const std::string& name, const Shape& shape, DType type) {
    return new_value(name, {type, shape}, Role::parameter);
  }

  ValueId apply(const std::string& name, const char* op, std::vector<ValueId> inputs, ValueId output = {}) {
    Operation operation;
    operation.op = &op_named(op);
    operation.op_name = op;
    operation.name = name;
    operation.inputs = std::move(inputs);
    operation.outputs = {output.present() ? output : program_.add({name, Role::activation, {}, nullptr})};
    OpCall call = call_of(program_, operation);
    auto types = infer(*operation.op, call);
    PLIM_CHECK(types.ok(), "an adapter fits its layer");
    program_.value(operation.outputs[0]).type = (*types)[0];
    call.outputs = std::move(types).value();
    operation.cost = operation.op->cost ? operation.op->cost(call) : Cost{};
    operation.moved = bytes_moved(*operation.op, call);
    program_.operations.push_back(operation);
    return operation.outputs[0];
  }

  ValueId cast(ValueId id, DType to) {
    if (program_.value(id).type->dtype == to) return id;
    program_.operations.push_back(cast_to(program_, id, to));
    return program_.operations.back().outputs[0];
  }

  ValueId adapter_input(const Operation& layer, DType wide) {
    const auto targets = targets_of(layer.name);
    const bool attends = !targets.empty() && (targets[0] == "q" || targets[0] == "k" || targets[0] == "v");
    ValueId& shared = inputs_[layer.inputs[0].index];
    if (habits_.packed_attention && attends && shared.present()) return shared;
    ValueId x = cast(layer.inputs[0], wide);
    if (habits_.adapter_dropout > 0) x = apply(layer.name + ".lora_dropout", "dropout", {x});
    if (attends) shared = x;
    return x;
  }

  // y = W·x + B·(A·x), with A and B in the adapters' own format.
  void add_adapter(const Operation& layer, ValueId output) {
    ++layers_;
    const std::string name = layer.name;
    const DType own = program_.value(output).type->dtype, wide = habits_.adapters_in_f32 ? DType::f32 : own;
    const Shape weight = program_.value(layer.inputs[1]).type->shape;
    ValueId x = adapter_input(layer, wide);
    x = apply(name + ".lora_A", "linear", {x, parameter(name + ".lora_A.weight", {weight[0], tuning_.rank}, wide)});
    x = apply(name + ".lora_B", "linear", {x, parameter(name + ".lora_B.weight", {tuning_.rank, weight[1]}, wide)});
    if (tuning_.kind == TuningKind::dora) {
      // Both parts are multiplied by a learned length of each column.
      const ValueId length = parameter(name + ".lora_magnitude", {weight[1]}, wide);
      x = apply(name + ".scaled", "mul", {x, length});
      const ValueId base = apply(name + ".scaled_base", "mul", {layer.outputs[0], cast(length, own)});
      apply(name + ".adapted", "add", {base, cast(x, own)}, output);
      return;
    }
    apply(name + ".adapted", "add", {layer.outputs[0], cast(x, own)}, output);
  }

  Program& program_;
  const Tuning& tuning_;
  const TrainingHabits& habits_;
  std::map<int32_t, ValueId> inputs_;  // of adapters of attention, by the layer's own input
  int64_t layers_ = 0;
};

}  // namespace

Status adapt(Program& forward, const Tuning& tuning, const TrainingHabits& habits) {
  if (tuning.kind == TuningKind::full) return {};
  if (tuning.kind == TuningKind::freeze) return freeze_parameters(forward, tuning.pattern);
  return Adaptation(forward, tuning, habits).run();
}

}  // namespace plimsoll
