#include "model/passes/micro_batch.h"

#include <algorithm>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

// Each sum is formed as soon as its gradient is complete, so that the gradient's own memory is free again.
void move_behind_gradients(Program& program) {
  const Op& accumulate = op_named("accumulate");
  std::vector<size_t> producer(program.values.size(), 0);
  for (size_t i = 0; i < program.operations.size(); ++i)
    for (const ValueId id : program.operations[i].outputs)
      if (id.present()) producer[size_t(id.index)] = i;
  std::vector<std::pair<double, size_t>> order;  // an operation's place: its own, or just after its gradient's
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    const bool sum = operation.op == &accumulate && operation.phase == Phase::backward;
    order.emplace_back(sum ? double(producer[size_t(operation.inputs[1].index)]) + 0.5 : double(i), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<Operation> sorted;
  for (const auto& [place, i] : order) sorted.push_back(std::move(program.operations[i]));
  program.operations = std::move(sorted);
}

}  // namespace

Status add_micro_batches(Program& program, std::vector<ParameterGradient>& gradients, int64_t micro_batches) {
  program.micro_batches = micro_batches;
  for (auto& [parameter, gradient] : gradients) {
    ProgramValue sum = program.value(gradient);
    sum.type->dtype = program.value(parameter).type->dtype;
    program.value(gradient).role = Role::activation;
    sum.role = Role::gradient;
    const ValueId before = program.add(std::move(sum));
    Operation operation;
    operation.op = &op_named("accumulate");
    operation.op_name = operation.op->name;
    operation.name = program.value(parameter).name + ".accumulate";
    operation.inputs = {before, gradient};
    operation.attributes = {{"share", 1.0 / double(micro_batches)}};
    operation.phase = Phase::backward;
    PLIM_ASSIGN(const auto outputs, append(program, std::move(operation), 1));
    gradient = outputs[0];
    program.value(gradient).role = Role::gradient;
    program.value(gradient).storage = before;
  }
  move_behind_gradients(program);
  return {};
}

}  // namespace plimsoll
