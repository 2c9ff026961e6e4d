#include "run/exec/planned_executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "model/ops/all_reduce.h"
#include "run/exec/loops/parallel.h"
#include "run/exec/step_results.h"
#include "run/exec/stored_values.h"

namespace plimsoll {
namespace {

// A sum of differences with itself: 0 unless a number is NaN or infinite, and one pass that vectorises.
template <class T>
bool all_finite(const T* numbers, int64_t count) {
  constexpr int64_t kWorth = 1 << 16;
  std::atomic<bool> all = true;
  parallel_ranges(count, count > kWorth ? count : 0, [&](int64_t from, int64_t to) {
    T wrong = 0;
#pragma omp simd reduction(+ : wrong)
    for (int64_t i = from; i < to; ++i) wrong += numbers[i] - numbers[i];
    if (wrong != 0) all.store(false, std::memory_order_relaxed);
  });
  return all.load();
}

}  // namespace

PlannedExecutor::PlannedExecutor(std::unique_ptr<Lowered> lowered, std::unique_ptr<MemoryPlan> plan,
                                 PlannedMemory memory)
    : lowered_(std::move(lowered)), plan_(std::move(plan)), memory_(std::move(memory)) {
  first_update_ = first_update(program());
  for (const auto& result : step_results(program(), *plan_))
    if (result.gradient) gradients_.push_back(result.value);
}

Result<PlannedMemory> PlannedExecutor::memory_beside(const Program& program, const MemoryPlan& plan, Executor& host,
                                                     const DeviceMemory* device) {
  const auto& planned = dynamic_cast<const PlannedExecutor&>(host);
  const StoredValues stored(host.program());
  const auto arena = planned.memory_.arena();
  PLIM_ASSIGN(PlannedMemory memory,
              device ? PlannedMemory::take_in(plan, arena, *device) : PlannedMemory::take_in(plan, arena));
  for (size_t i = 0; i < program.values.size(); ++i) {
    const ValueId there = stored.find(program.values[i]);
    if (there.present() && planned.memory_.of(there)) memory.place_elsewhere({int32_t(i)}, planned.memory_.of(there));
  }
  if (device) PLIM_TRY(memory.take_rest(*device));
  return memory;
}

void PlannedExecutor::fill_constants() {
  for (size_t i = 0; i < program().values.size(); ++i) {
    const ProgramValue& value = program().values[i];
    if (value.constant && memory_.of({int32_t(i)})) write({int32_t(i)}, value.constant->bytes);
  }
}

void PlannedExecutor::check_size(ValueId id, size_t bytes) const {
  PLIM_CHECK(int64_t(bytes) == program().value(id).type->bytes().value(), "a value of another size");
}

std::span<std::byte> PlannedExecutor::storage(ValueId id) const {
  if (plan_->storage_of.at(size_t(id.index)) < 0) return {};
  // Not the plan's size: that is rounded up, and whatever was there before lies after the value.
  return {memory_.of(id), size_t(lowered().rules().storage(program(), id).value())};
}

void PlannedExecutor::time_into(std::vector<Seconds>* of_each) {
  PLIM_CHECK(!of_each || of_each->size() == program().operations.size(), "times of another program");
  timed_ = of_each;
}

void PlannedExecutor::add_up(ValueId sums) {
  const auto count = size_t(program().value(sums).type->elements().value());
  if (on_host()) return sum_({reinterpret_cast<double*>(memory_.of(sums)), count});
  std::vector<double> copied(count);
  read(sums, std::as_writable_bytes(std::span(copied)));
  sum_(copied);
  write(sums, std::as_bytes(std::span(copied)));
}

void PlannedExecutor::run_and_tell(size_t index) {
  run_operation(index);
  const Operation& operation = program().operations[index];
  if (sum_ && operation.op == &all_reduce()) add_up(operation.outputs[0]);
  if (done_ && index < first_update_) done_(index);
}

void PlannedExecutor::run(size_t first, size_t last) {
  using Clock = std::chrono::steady_clock;
  if (!timed_) {
    for (size_t i = first; i < last; ++i) run_and_tell(i);
    return;
  }
  wait();
  auto start = Clock::now();
  for (size_t i = first; i < last; ++i) {
    run_and_tell(i);
    wait();
    const auto now = Clock::now();
    (*timed_)[i].value += std::chrono::duration<double>(now - start).count();
    start = now;
  }
}

bool PlannedExecutor::finite(ValueId id) const {
  const auto& type = program().value(id).type;
  const std::byte* data = memory_.of(id);
  if (!type || !data) return true;
  const int64_t count = type->elements().value();
  if (type->dtype == DType::f32) return all_finite(reinterpret_cast<const float*>(data), count);
  if (type->dtype == DType::f64) return all_finite(reinterpret_cast<const double*>(data), count);
  return true;
}

void PlannedExecutor::update() {
  run(first_update_, program().operations.size());
  drop_sums();
}

// The sums of micro-batches' gradients start at zero; so they did when memory was new.
void PlannedExecutor::drop_sums() {
  if (program().micro_batches == 1) return;
  for (const auto& planned : plan_->storages)
    if (planned.part == MemoryPart::gradients && planned.persistent) clear(planned.value);
}

void PlannedExecutor::clear(ValueId id) {
  const auto bytes = storage(id);
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
}

std::optional<std::string> PlannedExecutor::first_not_finite() {
  for (size_t i = 0; i < first_update_; ++i) {
    run_operation(i);
    const Operation& operation = program().operations[i];
    for (const ValueId id : operation.outputs)
      if (id.present() && !finite(id)) return operation.name;
  }
  return std::nullopt;
}

bool PlannedExecutor::finite() const {
  if (program().loss.present() && !finite(program().loss)) return false;
  return std::all_of(gradients_.begin(), gradients_.end(), [&](ValueId id) { return finite(id); });
}

}  // namespace plimsoll
