#include "run/exec/reference_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace plimsoll {
namespace {

std::vector<TensorView> views(const Program& program, const std::vector<ValueId>& ids, const PlannedMemory& memory) {
  std::vector<TensorView> result;
  for (const ValueId id : ids) {
    const bool there = id.present() && program.value(id).type;
    result.push_back(there ? TensorView(*program.value(id).type, memory.of(id)) : TensorView());
  }
  return result;
}

}  // namespace

ReferenceStep::ReferenceStep(const Program& program, const Operation& operation, const PlannedMemory& memory)
    : operation_(&operation),
      call_(call_of(program, operation)),
      inputs_(views(program, operation.inputs, memory)),
      outputs_(views(program, operation.outputs, memory)) {}

bool ReferenceStep::is_view() const {
  return operation_->op->storage == Storage::view && outputs_[0].data == inputs_[0].data;
}

void ReferenceStep::run() {
  if (is_view()) return;
  PLIM_CHECK(operation_->op->reference(call_, inputs_, outputs_), "reference maths declined at the run");
  if (!operation_->then) return;
  const std::vector<TensorView> first{outputs_[0]};
  static const Attributes none;
  OpCall then(none, {outputs_[0].type}, {nullptr}, 1);
  then.outputs = {*outputs_[0].type};
  PLIM_CHECK(operation_->then->reference(then, first, first), "reference maths declined at the run");
}

Status check_has_reference(const Program& program, const Operation& operation) {
  const auto fail = [&](const char* why) {
    return user_error(fmt::format("operation {} {}", in_quotes(operation.op_name), why),
                      "plimsoll can weigh and plan it, but not run it")
        .in("node " + in_quotes(operation.name));
  };
  if (!operation.op) return fail("is not known");
  if (!operation.op->reference) return fail("has no maths to run it by");
  if (operation.repeat != Count(1)) return fail("is inside a loop");
  for (const auto& ids : {operation.inputs, operation.outputs})
    for (const ValueId id : ids)
      if (id.present() && !program.value(id).type) return fail("works on values of unknown size");
  return {};
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace plimsoll
