#include "model/passes/training_form.h"

#include "base/text.h"
#include "model/ir/program_lookup.h"

namespace plimsoll {
namespace {

constexpr size_t kCountersInput = 3;  // of a random operation

ValueId counters_of(Program& program) {
  if (const ValueId there = input_named(program, "random_counters"); there.present()) return there;
  const ValueId id = program.add({"random_counters", Role::input, TensorType{DType::i64, Shape{3}}, nullptr});
  program.inputs.push_back(id);
  return id;
}

Status replace(Program& program, Operation& operation, int64_t node) {
  operation.op = &operation.op->training();
  operation.op_name = operation.op->name;
  operation.attributes.set("node", node);  // what its random numbers are told apart by
  operation.outputs.resize(1);
  if (operation.op->random) {
    operation.inputs.resize(kCountersInput + 1);
    operation.inputs[kCountersInput] = counters_of(program);
  }
  OpCall call = call_of(program, operation);
  PLIM_ASSIGN(call.outputs, infer(*operation.op, call));
  if (operation.op->cost) operation.cost = operation.op->cost(call);
  operation.moved = bytes_moved(*operation.op, call);
  // Only now: new values move the program's own, from which the call borrows.
  operation.outputs.resize(call.outputs.size());
  for (size_t i = 1; i < call.outputs.size(); ++i)
    operation.outputs[i] = program.add({operation.name, Role::activation, call.outputs[i], nullptr});
  return {};
}

std::vector<bool> values_read(const Program& program) {
  std::vector<bool> read(program.values.size(), false);
  for (const auto& operation : program.operations)
    for (const ValueId id : operation.inputs)
      if (id.present()) read[size_t(id.index)] = true;
  return read;
}

// A use of more than the first output (the places of a max pool, read by an unpool) keeps the plain form.
bool only_first_is_read(const std::vector<bool>& read, const Operation& operation) {
  for (size_t i = 1; i < operation.outputs.size(); ++i)
    if (operation.outputs[i].present() && read[size_t(operation.outputs[i].index)]) return false;
  return true;
}

bool stays(const Op& training, TrainingForm form) {
  return form == TrainingForm::frozen && (training.random || !training.updates.empty());
}

}  // namespace

Status training_form(Program& program, TrainingForm form) {
  int64_t node = 0;
  const std::vector<bool> read = values_read(program);
  for (auto& operation : program.operations) {
    ++node;
    if (!operation.op || !operation.op->training || operation.certainty == Certainty::unknown) continue;
    if (stays(operation.op->training(), form) || !only_first_is_read(read, operation)) continue;
    auto status = replace(program, operation, node);
    if (!status.ok()) return std::move(status).error().in("node " + in_quotes(operation.name));
  }
  return {};
}

}  // namespace plimsoll
