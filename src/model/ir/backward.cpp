#include "model/ir/backward.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {
namespace {

std::vector<TensorType> types_of(const Program& program, const std::vector<ValueId>& ids) {
  std::vector<TensorType> types;
  for (const ValueId id : ids)
    types.push_back(id.present() ? program.value(id).type.value_or(TensorType{}) : TensorType{});
  return types;
}

// The call, on types that stay where they are while values are added to the program.
OpCall lasting_call(const Program& program, const Operation& operation, const std::vector<TensorType>& types) {
  std::vector<const TensorType*> inputs;
  std::vector<const Tensor*> constants;
  for (size_t i = 0; i < operation.inputs.size(); ++i) {
    const ValueId id = operation.inputs[i];
    inputs.push_back(id.present() ? &types[i] : nullptr);
    constants.push_back(id.present() ? program.value(id).constant.get() : nullptr);
  }
  OpCall call(operation.attributes, std::move(inputs), std::move(constants), operation.outputs.size());
  call.outputs = types_of(program, operation.outputs);
  return call;
}

}  // namespace

Backward::Backward(Program& program, const Operation& forward, std::vector<ValueId> gradients, std::vector<bool> wanted)
    : program_(program),
      forward_(forward),
      input_types_(types_of(program, forward.inputs)),
      call_(lasting_call(program, forward_, input_types_)),
      gradients_(std::move(gradients)),
      wanted_(std::move(wanted)),
      input_gradients_(forward.inputs.size()) {
  gradients_.resize(forward.outputs.size());
}

std::vector<ValueId> Backward::emit(const Op& op, std::vector<ValueId> inputs, Attributes attributes, size_t outputs) {
  if (!status_.ok()) return std::vector<ValueId>(outputs);
  Operation operation;
  operation.op = &op;
  operation.op_name = op.name;
  operation.name = forward_.name + ".backward";
  operation.inputs = std::move(inputs);
  operation.attributes = std::move(attributes);
  operation.repeat = forward_.repeat;
  operation.certainty = forward_.certainty;
  operation.phase = Phase::backward;
  auto ids = append(program_, std::move(operation), outputs);
  if (ids.ok()) return std::move(ids).value();
  status_ = std::move(ids).error().in(fmt::format("the gradient of {}", in_quotes(forward_.name)));
  return std::vector<ValueId>(outputs);
}

ValueId Backward::emit(const Op& op, std::vector<ValueId> inputs, Attributes attributes) {
  return emit(op, std::move(inputs), std::move(attributes), 1)[0];
}

ValueId Backward::constant(Tensor tensor) {
  const TensorType type = tensor.type;
  return program_.add({forward_.name + ".constant", Role::constant, type, std::make_shared<Tensor>(std::move(tensor))});
}

void Backward::set(size_t input, ValueId gradient) { input_gradients_.at(input) = gradient; }

void Backward::fail(const std::string& why) {
  if (status_.ok())
    status_ =
        user_error(why, "it can be weighed and run, not trained")
            .in(fmt::format("the gradient of {} ({})", in_quotes(forward_.name), printable(forward_.op_name, 80)));
}

void no_gradient(Backward&) {}

Result<std::vector<ValueId>> append(Program& program, Operation operation, size_t outputs) {
  operation.outputs.assign(outputs, ValueId{});
  OpCall call = call_of(program, operation);
  for (size_t i = 0; i < operation.inputs.size(); ++i)
    if (operation.inputs[i].present() && !call.has(i))
      return user_error(fmt::format("the size of {} is not known", in_quotes(program.value(operation.inputs[i]).name)));
  PLIM_ASSIGN(call.outputs, infer(*operation.op, call));
  if (operation.op->cost) operation.cost = operation.op->cost(call);
  operation.moved = bytes_moved(*operation.op, call);
  for (size_t i = 0; i < outputs; ++i)
    operation.outputs[i] = program.add({operation.name, Role::activation, call.outputs[i], nullptr});
  std::vector<ValueId> ids = operation.outputs;
  program.operations.push_back(std::move(operation));
  return ids;
}

}  // namespace plimsoll
