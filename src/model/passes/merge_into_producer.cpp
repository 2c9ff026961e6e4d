#include "model/passes/merge_into_producer.h"

#include "model/passes/uses.h"

namespace plimsoll {

int64_t merge_into_producer(Program& program, const Merging& merging) {
  std::vector<int> reads(program.values.size(), 0);
  std::vector<Operation*> producer(program.values.size(), nullptr);
  for (auto& operation : program.operations) {
    for (const ValueId id : operation.inputs)
      if (id.present()) ++reads[size_t(id.index)];
    if (!operation.outputs.empty() && operation.outputs[0].present())
      producer[size_t(operation.outputs[0].index)] = &operation;
  }
  for (const ValueId id : program.outputs) ++reads[size_t(id.index)];
  std::vector<bool> gone(program.operations.size(), false);
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    if (!merging.goes(program, operation)) continue;
    const auto read = size_t(operation.inputs[0].index);
    if (!producer[read] || reads[read] != 1 || producer[read]->repeat != operation.repeat) continue;
    if (!merging.takes(*producer[read], operation)) continue;
    merging.merge(program, *producer[read], operation);
    gone[i] = true;
  }
  return remove_operations(program, gone);
}

}  // namespace plimsoll
