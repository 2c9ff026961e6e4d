#include "model/ir/program.h"

namespace plimsoll {

OpCall call_of(const Program& program, const Operation& operation) {
  std::vector<const TensorType*> types;
  std::vector<const Tensor*> constants;
  types.reserve(operation.inputs.size());
  constants.reserve(operation.inputs.size());
  for (const ValueId id : operation.inputs) {
    const ProgramValue* value = id.present() ? &program.value(id) : nullptr;
    types.push_back(value && value->type ? &*value->type : nullptr);
    constants.push_back(value ? value->constant.get() : nullptr);
  }
  OpCall call(operation.attributes, std::move(types), std::move(constants), operation.outputs.size());
  call.outputs.reserve(operation.outputs.size());
  for (const ValueId id : operation.outputs) {
    const bool typed = id.present() && program.value(id).type;
    call.outputs.push_back(typed ? *program.value(id).type : TensorType{});
  }
  return call;
}

}  // namespace plimsoll
