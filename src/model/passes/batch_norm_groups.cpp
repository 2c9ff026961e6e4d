#include "model/passes/batch_norm_groups.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/ops/all_reduce.h"
#include "model/ops/batch_norm_sync.h"
#include "model/ops/batch_norm_training.h"

namespace plimsoll {
namespace {

// Types and costs anew, after an operation became another.
Status set_types(Program& program, Operation& operation) {
  operation.op_name = operation.op->name;
  OpCall call = call_of(program, operation);
  PLIM_ASSIGN(call.outputs, infer(*operation.op, call));
  operation.cost = operation.op->cost(call);
  operation.moved = bytes_moved(*operation.op, call);
  const auto types = call.outputs;  // what follows moves what the call borrows
  for (size_t i = 0; i < operation.outputs.size(); ++i) program.value(operation.outputs[i]).type = types[i];
  return {};
}

Status add(Program& program, std::vector<Operation>& list, const Op& op, const std::string& name, ValueId input,
           ValueId& output) {
  Operation operation;
  operation.op = &op;
  operation.name = name;
  operation.inputs = {input};
  operation.outputs = {output = program.add({name, Role::activation, {}, nullptr})};
  PLIM_TRY(set_types(program, operation));
  list.push_back(std::move(operation));
  return {};
}

Status make_ghosts(Program& program, Operation& operation, int64_t ghost) {
  const int64_t batch = program.value(operation.inputs[0]).type->shape[0];
  if (batch % ghost != 0)
    return user_error(fmt::format("a batch of {} has no whole groups of {}", batch, ghost),
                      "choose a batch that is a multiple of the group");
  operation.attributes.set("ghost", ghost);
  return set_types(program, operation);
}

}  // namespace

Status set_batch_norm_groups(Program& program, const BatchNormGroups& groups) {
  if (groups.over == BatchNormOver::batch) return {};
  std::vector<Operation> before = std::move(program.operations), after;
  for (auto& operation : before) {
    Status status;
    if (operation.op == &batch_norm_train() && groups.over == BatchNormOver::ghosts) {
      status = make_ghosts(program, operation, groups.ghost);
    } else if (operation.op == &batch_norm_train()) {
      ValueId own, all;
      status = add(program, after, batch_norm_sums(), operation.name + ".sums", operation.inputs[0], own);
      if (status.ok()) status = add(program, after, all_reduce(), operation.name + ".all_reduce", own, all);
      operation.op = &batch_norm_train_sync();
      operation.inputs.resize(5);
      operation.inputs.push_back(all);
      operation.attributes.set("workers", groups.workers);
      if (status.ok()) status = set_types(program, operation);
    }
    if (!status.ok()) return std::move(status).error().in("node " + in_quotes(operation.name));
    after.push_back(std::move(operation));
  }
  program.operations = std::move(after);
  return {};
}

}  // namespace plimsoll
