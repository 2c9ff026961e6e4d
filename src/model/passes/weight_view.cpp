#include "model/passes/weight_view.h"

#include "model/ops/all_ops.h"

namespace plimsoll {

bool only_looks(const Operation& operation) {
  return operation.op && !operation.inputs.empty() && operation.inputs[0].present() &&
         (operation.op->storage == Storage::view || operation.op == &op_named("transpose"));
}

bool is_weight_view(const Program& program, const Uses& uses, ValueId id) {
  for (;;) {
    const Role role = program.value(id).role;
    if (role == Role::parameter || role == Role::buffer) return true;
    const int64_t producer = uses.producer(id);
    if (producer == Uses::kNobody || !only_looks(program.operations[size_t(producer)])) return false;
    id = program.operations[size_t(producer)].inputs[0];
  }
}

}  // namespace plimsoll
