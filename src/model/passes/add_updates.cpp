#include "model/passes/add_updates.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/ir/backward.h"
#include "model/optim/presets.h"

namespace plimsoll {
namespace {

// A number that comes with every step.
ValueId add_number(Program& program, std::string name, DType dtype) {
  const ValueId id = program.add({std::move(name), Role::input, TensorType{dtype, {}}, nullptr});
  program.inputs.push_back(id);
  return id;
}

Operation update_of(Program& program, const ParameterGradient& pair, const Optimizer& optimizer,
                    const Attributes& settings, StateFormat format) {
  Operation operation;
  operation.op = &optimizer.update();
  operation.op_name = operation.op->name;
  const std::string name = program.value(pair.parameter).name;
  operation.name = name + ".update";
  operation.phase = Phase::update;
  operation.inputs = {pair.parameter, pair.gradient};
  const auto type = program.value(pair.parameter).type;
  operation.attributes = type ? settings_for(*type, settings) : settings;
  for (const auto& state : optimizer.state) {
    std::optional<TensorType> kept;
    if (type) kept = TensorType{format == StateFormat::f32 ? DType::f32 : type->dtype, type->shape};
    operation.inputs.push_back(program.add({fmt::format("{}.{}", name, state), Role::state, kept, nullptr}));
  }
  return operation;
}

}  // namespace

Status add_updates(Program& program, const std::vector<ParameterGradient>& gradients, const Optimizer& optimizer,
                   const Attributes& settings, StateFormat format) {
  if (gradients.empty()) return {};
  const ValueId learning_rate = add_number(program, "learning_rate", DType::f32);
  const ValueId step = add_number(program, "step", DType::i64);
  for (const auto& pair : gradients) {
    Operation operation = update_of(program, pair, optimizer, settings, format);
    operation.inputs.push_back(learning_rate);
    operation.inputs.push_back(step);
    const std::vector<ValueId> inputs = operation.inputs;
    auto outputs = append(program, std::move(operation), 1 + optimizer.state.size());
    if (!outputs.ok())
      return std::move(outputs).error().in(
          fmt::format("the update of {}", in_quotes(program.value(pair.parameter).name)));
    for (const auto& [output, input] : optimizer.update().updates)
      program.value((*outputs)[output]).storage = inputs[input];
  }
  return {};
}

}  // namespace plimsoll
