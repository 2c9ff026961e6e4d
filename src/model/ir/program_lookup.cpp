#include "model/ir/program_lookup.h"

namespace plimsoll {

ValueId input_named(const Program& program, std::string_view name) {
  for (const ValueId id : program.inputs)
    if (program.value(id).name == name) return id;
  return {};
}

const Operation* producer_of(const Program& program, ValueId id) {
  for (const auto& operation : program.operations)
    for (const ValueId output : operation.outputs)
      if (output == id) return &operation;
  return nullptr;
}

}  // namespace plimsoll
