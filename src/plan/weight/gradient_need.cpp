#include "plan/weight/gradient_need.h"

namespace plimsoll {

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

}  // namespace plimsoll
