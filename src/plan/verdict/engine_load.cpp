#include "plan/verdict/engine_load.h"

namespace plimsoll {
namespace {

MemoryTimeline timeline_of(const MemoryPlan& plan) {
  MemoryTimeline timeline{{}, {}, plan.fixed + plan.peak() - plan.bound()};
  for (size_t t = 0; t < plan.timeline.size(); ++t) {
    const int32_t storage = t < plan.workspace_of.size() ? plan.workspace_of[t] : -1;
    timeline.workspace.push_back(storage < 0 ? Bytes(0) : plan.storages[size_t(storage)].size);
    timeline.tensors.push_back(plan.timeline[t] - plan.fixed - timeline.workspace.back());
  }
  return timeline;
}

constexpr int64_t kUntried = 0;  // instead of a batch: that plan is not kept for who asks for the real one

Bytes kept_by(const Lifetimes& lifetimes) {
  Bytes kept;
  for (const StorageLife& storage : lifetimes.storages)
    if (storage.persistent) kept += storage.size;
  return kept;
}

}  // namespace

Result<const EngineLoad::Planned*> EngineLoad::planned(int64_t batch) {
  if (!lowering_) PLIM_TRY(planned_plainly(batch));
  else if (!planned_ || planned_->batch != batch) {
    planned_.reset();
    PLIM_ASSIGN(Program step, family_->at(batch));
    PLIM_ASSIGN(lowered_, lowering_->lower(std::move(step)));
    planned_ = Planned{batch, &lowered_->program, plan_memory(lowered_->program, lowered_->rules())};
  }
  (*free_)[batch] = planned_->plan.peak();
  return &*planned_;
}

Result<const EngineLoad::Planned*> EngineLoad::planned_plainly(int64_t batch) {
  PLIM_TRY(curve_.move_to(batch));
  planned_ = Planned{batch, &curve_.step(), plan_memory(curve_.step(), plain_size_rules())};
  return &*planned_;
}

// To try the kernels of a step takes as long as the step: not where it is past the line whatever they allocate.
Result<const EngineLoad::Planned*> EngineLoad::planned_for(int64_t batch, const Room& room) {
  PLIM_ASSIGN(const bool hopeless, is_not_worth_trying(batch, room));
  if (!hopeless) return planned(batch);
  PLIM_TRY(planned_plainly(batch));
  planned_->batch = kUntried;
  return &*planned_;
}

// What stays through the whole step is in memory whatever its operations share; of one sample only that is certain.
Result<bool> EngineLoad::is_not_worth_trying(int64_t batch, const Room& room) {
  if (!lowering_ || !lowering_->tries_kernels()) return false;
  PLIM_TRY(curve_.move_to(batch));
  if (kept_by(curve_.storages()) > room.line) return true;
  return is_past_without_packing(batch, room);
}

std::vector<std::string> EngineLoad::notes(bool) const {
  if (!untried_) return {};
  return {"No kernel was tried: tensors alone are past the line. What kernels allocate themselves is not counted."};
}

Result<Bytes> EngineLoad::free_at(int64_t batch) {
  if (const auto known = free_->find(batch); known != free_->end()) return known->second;
  PLIM_ASSIGN(const Planned* plan, planned(batch));
  return plan->plan.peak();
}

Result<Bytes> EngineLoad::expected_at(int64_t batch, const Room& room) {
  if (const auto known = free_->find(batch); known != free_->end()) return known->second + room.fixed;
  PLIM_ASSIGN(const Planned* plan, planned_for(batch, room));
  return plan->plan.peak() + room.fixed;
}

Result<bool> EngineLoad::carries(int64_t batch, const Room& room) {
  PLIM_ASSIGN(const bool hopeless, is_past_without_packing(batch, room));
  if (hopeless) return false;
  PLIM_ASSIGN(const Bytes peak, expected_at(batch, room));
  return peak <= room.line;
}

// Near what plain layouts would carry, by few plans of the real ones: each asks for every kernel.
Result<int64_t> EngineLoad::largest_under(const Room& room) {
  if (family_->only_batch()) return only_batch_under(room);
  PLIM_ASSIGN(const int64_t guess, largest_plain(room));
  if (!lowering_) return guess;
  if (lowering_->tries_kernels()) return largest_tried(room, guess);
  Network::Peaks asked;  // now: what was asked before may not lead to another answer
  const auto load = [&](int64_t batch) -> Result<Bytes> {
    PLIM_ASSIGN(const Bytes peak, expected_at(batch, room));
    return asked[batch] = peak;
  };
  int64_t high = std::min(kMostSamples, guess + guess / 16 + 2);
  for (; high < kMostSamples; high = std::min(kMostSamples, 2 * high)) {
    PLIM_ASSIGN(const Bytes peak, load(high));
    if (peak > room.line) break;
  }
  return largest_batch(room.line, 1, high, load, asked);
}

// Two small batches show how the peak grows, and only a batch that should fit is tried: one far past the line would
// take the memory of the machine itself. `most`: what would fit if nothing but tensors took memory.
Result<int64_t> EngineLoad::largest_tried(const Room& room, int64_t most) {
  constexpr int64_t kSmall = 4, kLarger = 8;
  const auto load = [&](int64_t batch) { return expected_at(batch, room); };
  if (most <= kLarger) return largest_batch(room.line, 1, std::max<int64_t>(most, 1), load);
  PLIM_ASSIGN(const Bytes small, load(kSmall));
  PLIM_ASSIGN(const Bytes larger, load(kLarger));
  if (larger > room.line) return largest_batch(room.line, 1, kLarger, load);
  double by_sample = double((larger - small).value()) / double(kLarger - kSmall);
  for (int64_t batch = most;;) {
    const double beyond = double((room.line - larger).value()) / std::max(by_sample, 1.0);
    batch = std::clamp(kLarger + int64_t(std::min(beyond, double(most))), kLarger, batch);
    PLIM_ASSIGN(const Bytes peak, load(batch));
    if (peak <= room.line) return batch;
    by_sample = double((peak - larger).value()) / double(batch - kLarger);
    --batch;
  }
}

Result<Bytes> EngineLoad::live_at(int64_t batch) {
  if (const auto known = live_->find(batch); known != live_->end()) return known->second;
  PLIM_TRY(curve_.move_to(batch));
  return (*live_)[batch] = live_peak(curve_.storages());
}

Result<bool> EngineLoad::is_past_without_packing(int64_t batch, const Room& room) {
  if (batch == 1) return false;
  PLIM_ASSIGN(const Bytes live, live_at(batch));
  return live > room.line;
}

Result<int64_t> EngineLoad::largest_plain(const Room& room) {
  const auto live = [&](int64_t size) { return live_at(size); };
  PLIM_ASSIGN(const int64_t most, most_to_ask(room.line, live));
  PLIM_ASSIGN(int64_t batch, largest_batch(room.line, 1, most, live, *live_));
  // A packed arena is a little larger than the sum of what is alive.
  while (batch > 0 && !lowering_) {
    PLIM_ASSIGN(const Bytes peak, expected_at(batch, room));
    if (peak <= room.line) break;
    const double share = double(room.line.value()) / double(peak.value());
    batch = std::min(batch - 1, int64_t(double(batch) * share));
  }
  return batch;
}

Result<BatchLoad> EngineLoad::at(int64_t batch, const Room& room) {
  BatchLoad load;
  load.batch = batch;
  PLIM_ASSIGN(const Planned* own, planned_for(batch, room));
  untried_ = own->batch == kUntried;
  const MemoryPlan& plan = own->plan;
  load.peak = exact_range(plan.peak());
  load.needed = load.reserved = plan.peak();
  load.allocated = plan.bound();
  load.breakdown = plan.breakdown;
  load.largest_tensor = plan.largest;
  load.arena = plan.arena;
  load.bound = plan.bound();
  load.gradients = gradients_of(plan.storages);
  load.at_peak = plan.at_peak;
  load.peak_operation = name_at(*own->step, plan.peak_operation);
  load.timeline = timeline_of(plan);
  if (lowered_ && own->step == &lowered_->program) load.conv_methods = lowered_->conv_methods();
  return load;
}

Result<std::optional<TensorInMemory>> EngineLoad::first_over(int64_t batch, const Room& room) {
  PLIM_ASSIGN(const Planned* own, planned_for(batch, room));
  return plimsoll::first_over(*own->step, own->plan, room.line);
}

void EngineLoad::let_go() {
  StepLoad::let_go();
  planned_.reset();
  lowered_.reset();
}

}  // namespace plimsoll
