#include "model/passes/micro_batch.h"

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"

namespace plimsoll {

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
  return {};
}

}  // namespace plimsoll
