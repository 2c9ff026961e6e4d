#include "run/exec/step_results.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll {
namespace {

// A gradient as compute() leaves it: what lies before the reorders that a lowering has put between it and its update.
ValueId as_computed(const std::map<ValueId, const Operation*>& reorders, ValueId gradient) {
  for (auto found = reorders.find(gradient); found != reorders.end(); found = reorders.find(gradient))
    gradient = found->second->inputs.at(0);
  return gradient;
}

std::vector<ValueId> gradients(const Program& program, size_t updates) {
  std::map<ValueId, const Operation*> reorders;
  std::vector<ValueId> found;
  for (size_t i = updates; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    if (operation.inputs.size() < 2) reorders[operation.outputs.at(0)] = &operation;
    else found.push_back(as_computed(reorders, operation.inputs[1]));
  }
  return found;
}

std::vector<ValueId> statistics(const Program& program, size_t updates) {
  std::set<ValueId> written;
  for (size_t i = 0; i < updates; ++i)
    for (ValueId id : program.operations[i].outputs) {
      while (id.present() && program.value(id).storage.present()) id = program.value(id).storage;
      if (id.present() && program.value(id).role == Role::buffer) written.insert(id);
    }
  return {written.begin(), written.end()};
}

}  // namespace

size_t first_update(const Program& program) {
  const auto& operations = program.operations;
  const auto updates = [](const Operation& operation) { return operation.phase == Phase::update; };
  return size_t(std::find_if(operations.begin(), operations.end(), updates) - operations.begin());
}

std::vector<StepResult> step_results(const Program& program, const MemoryPlan& plan) {
  const size_t updates = first_update(program);
  std::map<int32_t, size_t> last_touched;  // by storage
  for (size_t i = 0; i < updates; ++i)
    for (const auto* list : {&program.operations[i].inputs, &program.operations[i].outputs})
      for (const ValueId id : *list)
        if (id.present()) last_touched[plan.storage_of.at(size_t(id.index))] = i;
  std::vector<StepResult> results;
  std::set<int32_t> seen;
  const auto add = [&](ValueId id, bool gradient) {
    const int32_t storage = plan.storage_of.at(size_t(id.index));
    if (storage >= 0 && seen.insert(storage).second) results.push_back({id, gradient, last_touched[storage]});
  };
  for (const ValueId id : statistics(program, updates)) add(id, false);
  for (const ValueId id : gradients(program, updates)) add(id, true);
  std::stable_sort(results.begin(), results.end(),
                   [](const StepResult& a, const StepResult& b) { return a.final_at < b.final_at; });
  return results;
}

}  // namespace plimsoll
