#include "model/passes/remove_dead.h"

#include <algorithm>

namespace plimsoll {

int64_t remove_dead(Program& program) {
  std::vector<bool> used(program.values.size(), false);
  for (const ValueId id : program.outputs)
    if (!program.loss.present()) used[size_t(id.index)] = true;  // in training the loss is what is asked for
  if (program.loss.present()) used[size_t(program.loss.index)] = true;
  std::vector<bool> stays(program.operations.size(), false);
  for (size_t i = program.operations.size(); i-- > 0;) {
    const Operation& operation = program.operations[i];
    stays[i] = !operation.op || operation.phase == Phase::update;  // an unknown operation may do anything
    for (const ValueId id : operation.outputs) stays[i] = stays[i] || (id.present() && used[size_t(id.index)]);
    if (!stays[i]) continue;
    for (const ValueId id : operation.inputs)
      if (id.present()) used[size_t(id.index)] = true;
  }
  std::vector<Operation> left;
  left.reserve(size_t(std::count(stays.begin(), stays.end(), true)));
  for (size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) left.push_back(std::move(program.operations[i]));
  const auto removed = int64_t(program.operations.size() - left.size());
  program.operations = std::move(left);
  return removed;
}

}  // namespace plimsoll
