#include "plan/verdict/step_operations.h"

#include <algorithm>

#include "plan/memory/lifetimes.h"
#include "plan/time/step_time.h"
#include "plan/time/timed_program.h"
#include "plan/verdict/execution_of.h"
#include "plan/verdict/framework_load.h"

namespace plimsoll {
namespace {

// What is alive during each operation, by what it is: storages are added where they begin and taken away after their
// end, so that a step of thousands of operations is one walk.
std::vector<MemoryBreakdown> alive_by_part(const Program& step, const Lifetimes& lives) {
  const size_t count = step.operations.size();
  std::vector<std::vector<const StorageLife*>> begins(count), ends(count);
  MemoryBreakdown now;
  for (const auto& storage : lives.storages) {
    if (!storage.value.present()) continue;
    const size_t first = size_t(std::max(0, storage.first)), last = size_t(std::max(0, storage.last));
    if (storage.persistent || first >= count) {
      now[storage.part] += storage.size;
      continue;
    }
    begins[first].push_back(&storage);
    ends[std::min(last, count - 1)].push_back(&storage);
  }
  std::vector<MemoryBreakdown> alive;
  for (size_t i = 0; i < count; ++i) {
    for (const auto* storage : begins[i]) now[storage->part] += storage->size;
    alive.push_back(now);
    for (const auto* storage : ends[i]) now[storage->part] = now[storage->part] - storage->size;
  }
  return alive;
}

void name_tensor(const Program& step, const Operation& operation, StepOperation& row) {
  for (const ValueId output : operation.outputs) {
    if (!output.present()) continue;
    const ProgramValue& value = step.value(output);
    if (!value.type || value.type->bytes() <= row.tensor_bytes) continue;
    row.tensor = value.name;
    row.tensor_bytes = value.type->bytes();
  }
}

Lifetimes lives_of(const FitQuestion& question, const Program& step) {
  if (question.framework == Framework::plimsoll) return lifetimes(step, plain_size_rules());
  const Device* device = question.device ? &*question.device : nullptr;
  return lifetimes(step, FrameworkProfile(question.framework, device, question.format.name.starts_with("amp")));
}

}  // namespace

Result<StepOperations> step_operations(const FitQuestion& question, int64_t batch) {
  PLIM_ASSIGN(FrameworkLoad load, FrameworkLoad::make(question));
  PLIM_ASSIGN(const Program step, load.program_at(batch));
  StepOperations answer;
  const TimedProgram demands = timed(step);
  std::optional<StepTime> time;
  if (question.device) {
    answer.bandwidth = question.device->memory_bandwidth;
    answer.peak = question.device->product_peak(question.format.activations.value_or(DType::f32));
    if (auto timed_step = step_time(demands, *question.device, execution_of(question)); timed_step.ok())
      time = *std::move(timed_step);
  }
  const auto alive = alive_by_part(step, lives_of(question, step));
  for (size_t i = 0; i < step.operations.size(); ++i) {
    const TimedOperation& demand = demands.operations[i];
    StepOperation row;
    row.name = step.operations[i].name;
    row.kind = std::string(name_of(demand.work));
    std::replace(row.kind.begin(), row.kind.end(), '_', ' ');
    row.phase = step.operations[i].phase;
    row.flops = demand.flops * demand.repeat;
    row.bytes = demand.bytes * demand.repeat;
    if (time) row.time = time->operations[i].seconds;
    row.memory = alive[i];
    name_tensor(step, step.operations[i], row);
    answer.operations.push_back(std::move(row));
  }
  return answer;
}

}  // namespace plimsoll
