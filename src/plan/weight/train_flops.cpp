#include "plan/weight/train_flops.h"

#include "model/passes/pipeline.h"

namespace plimsoll {
namespace {

Flops all_flops(const Program& program) {
  Flops total;
  for (const auto& operation : program.operations) total += operation.cost.flops * operation.repeat;
  return total;
}

Macs all_macs(const Program& program) {
  Macs total;
  for (const auto& operation : program.operations) total += operation.cost.macs * operation.repeat;
  return total;
}

Macs as_thrice(const Program& program) { return all_macs(program) * 3; }

// A matrix product or convolution is paid once more for each of its inputs that needs a gradient (the first
// layer's data does not), every other operation once more when anything before it is trained.
Flops backward_flops(const Program& program) {
  std::vector<bool> needs(program.values.size(), false);
  for (size_t i = 0; i < program.values.size(); ++i) {
    const ProgramValue& value = program.values[i];
    needs[i] = value.role == Role::parameter && value.type && is_floating(value.type->dtype);
  }
  Flops total;
  for (const auto& operation : program.operations) {
    int64_t gradients = 0;
    for (size_t i = 0; i < operation.inputs.size(); ++i)
      if (operation.inputs[i].present() && needs[size_t(operation.inputs[i].index)] &&
          !(operation.cost.macs.value() > 0 && i >= 2))  // a bias gradient rides along with the weights'
        ++gradients;
    if (gradients == 0) continue;
    const bool product = operation.cost.macs.value() > 0;
    total += operation.cost.flops * operation.repeat * (product ? gradients : 1);
    for (const ValueId id : operation.outputs) {
      if (!id.present()) continue;
      const auto& type = program.value(id).type;
      needs[size_t(id.index)] = !type || is_floating(type->dtype);
    }
  }
  return total;
}

Flops by_rule(const Program& program, const Optimizer& optimizer) {
  Count params;
  for (const auto& value : program.values)
    if (value.role == Role::parameter && value.type) params += value.type->elements();
  return all_flops(program) + backward_flops(program) + as<Flops>(params * optimizer.flops_per_parameter);
}

// All that costs something: where values are stored costs nothing.
Result<UnfinishedStep> complete(const Program& forward, const StepOptions& options) {
  PLIM_ASSIGN(UnfinishedStep step, differentiate_step(forward, options));
  return complete_step(std::move(step), options);
}

}  // namespace

TrainFlops train_flops(const Program& program, const Optimizer& optimizer) {
  StepOptions options;
  options.optimizer = &optimizer;
  options.fuse = false;  // what the network takes, not what an engine computes twice to save memory
  const auto step = complete(program, options);
  if (!step.ok()) return {by_rule(program, optimizer), as_thrice(program), step.error().line()};
  return {all_flops(step->program), all_macs(step->program), {}};
}

}  // namespace plimsoll
