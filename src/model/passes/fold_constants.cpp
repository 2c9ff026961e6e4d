#include "model/passes/fold_constants.h"

#include "model/ir/evaluate.h"
#include "model/ir/work_limit.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargest = 4096;    // elements: a folded tensor is kept for the whole step
constexpr int64_t kWork = 8'000'000;  // units of WorkLimit; what takes more is computed in the step

bool fold(Program& program, const Operation& operation) {
  if (!operation.op || !operation.op->reference || operation.op->random || operation.phase == Phase::update)
    return false;
  std::vector<const Tensor*> inputs;
  for (const ValueId id : operation.inputs) {
    inputs.push_back(id.present() ? program.value(id).constant.get() : nullptr);
    // A constant may stand for a value of another format (a loss of ones in f16): that is not to be folded.
    if (id.present() && (!inputs.back() || inputs.back()->type != *program.value(id).type)) return false;
  }
  for (const ValueId id : operation.outputs)
    if (!id.present() || !program.value(id).type || program.value(id).type->elements() > Count(kLargest)) return false;
  if (!may_work(reference_work(*operation.op, call_of(program, operation)))) return false;
  const auto outputs = evaluate(*operation.op, operation.attributes, inputs, operation.outputs.size());
  if (!outputs.ok() || !outputs->has_value()) return false;
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    ProgramValue& value = program.value(operation.outputs[i]);
    value.constant = std::make_shared<Tensor>((**outputs)[i]);
    value.role = Role::constant;
  }
  return true;
}

}  // namespace

int64_t fold_constants(Program& program) {
  const WorkLimit limit(kWork);
  std::vector<bool> folded(program.operations.size(), false);
  for (size_t i = 0; i < folded.size(); ++i) folded[i] = fold(program, program.operations[i]);
  return remove_operations(program, folded);
}

}  // namespace plimsoll
