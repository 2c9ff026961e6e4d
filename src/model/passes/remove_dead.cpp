#include "model/passes/remove_dead.h"

#include "model/passes/uses.h"

namespace plimsoll {

int64_t remove_dead(Program& program) {
  std::vector<bool> used(program.values.size(), false);
  for (const ValueId id : program.outputs)
    if (!program.loss.present()) used[size_t(id.index)] = true;  // in training the loss is what is asked for
  if (program.loss.present()) used[size_t(program.loss.index)] = true;
  std::vector<bool> gone(program.operations.size(), false);
  for (size_t i = program.operations.size(); i-- > 0;) {
    const Operation& operation = program.operations[i];
    bool stays = !operation.op || operation.phase == Phase::update;  // an unknown operation may do anything
    for (const ValueId id : operation.outputs) stays = stays || (id.present() && used[size_t(id.index)]);
    gone[i] = !stays;
    if (!stays) continue;
    for (const ValueId id : operation.inputs)
      if (id.present()) used[size_t(id.index)] = true;
  }
  return remove_operations(program, gone);
}

}  // namespace plimsoll
