#include "plan/memory/framework_casts.h"

#include <algorithm>

#include "model/passes/uses.h"

namespace plimsoll {
namespace {

bool is_idle(const Program& program, const Operation& operation) {
  if (operation.op_name != "cast_like" && operation.op_name != "identity") return false;
  if (operation.certainty != Certainty::exact || operation.repeat != Count(1) || operation.outputs.size() != 1)
    return false;
  const ValueId from = operation.inputs[0], to = operation.outputs[0];
  if (!from.present() || !to.present() || program.value(from).constant) return false;
  const auto &before = program.value(from).type, &after = program.value(to).type;
  return before && after && *before == *after;
}

}  // namespace

int64_t drop_idle_casts(Program& forward) {
  std::vector<bool> gone(forward.operations.size());
  std::vector<ValueId> instead(forward.values.size());
  for (size_t i = 0; i < instead.size(); ++i) instead[i] = {int32_t(i)};
  std::vector<int64_t> turned(forward.values.size(), -1);  // the transpose that writes a value
  const auto is_output = [&](ValueId id) {
    return std::find(forward.outputs.begin(), forward.outputs.end(), id) != forward.outputs.end();
  };
  for (size_t i = 0; i < gone.size(); ++i) {
    Operation& operation = forward.operations[i];
    for (ValueId& id : operation.inputs)
      if (id.present()) id = instead[size_t(id.index)];
    if (operation.op_name == "transpose") turned[size_t(operation.outputs[0].index)] = int64_t(i);
    if (!is_idle(forward, operation) || is_output(operation.outputs[0])) continue;
    const int64_t before = turned[size_t(operation.inputs[0].index)];
    if (operation.op_name == "identity" && before >= 0)
      forward.operations[size_t(before)].attributes.set("copied", int64_t{1});
    instead[size_t(operation.outputs[0].index)] = operation.inputs[0];
    gone[i] = true;
  }
  return remove_operations(forward, gone);
}

}  // namespace plimsoll
