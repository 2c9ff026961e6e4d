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

}  // namespace

Result<const EngineLoad::Planned*> EngineLoad::planned(int64_t batch) {
  if (!lowering_) {
    PLIM_TRY(curve_.move_to(batch));
    planned_ = Planned{batch, &curve_.step(), plan_memory(curve_.step(), plain_size_rules())};
  } else if (!planned_ || planned_->batch != batch) {
    planned_.reset();
    PLIM_ASSIGN(Program step, family_->at(batch));
    PLIM_ASSIGN(lowered_, lowering_->lower(std::move(step)));
    planned_ = Planned{batch, &lowered_->program, plan_memory(lowered_->program, lowered_->rules())};
  }
  (*free_)[batch] = planned_->plan.peak();
  return &*planned_;
}

Result<Bytes> EngineLoad::free_at(int64_t batch) {
  if (const auto known = free_->find(batch); known != free_->end()) return known->second;
  PLIM_ASSIGN(const Planned* plan, planned(batch));
  return plan->plan.peak();
}

Result<Bytes> EngineLoad::expected_at(int64_t batch, const Room& room) {
  PLIM_ASSIGN(const Bytes free, free_at(batch));
  return free + room.fixed;
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

Result<BatchLoad> EngineLoad::at(int64_t batch, const Room&) {
  BatchLoad load;
  load.batch = batch;
  PLIM_ASSIGN(const Planned* own, planned(batch));
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
  if (lowering_) load.conv_methods = lowered_->conv_methods();
  return load;
}

Result<std::optional<TensorInMemory>> EngineLoad::first_over(int64_t batch, const Room& room) {
  PLIM_ASSIGN(const Planned* own, planned(batch));
  return plimsoll::first_over(*own->step, own->plan, room.line);
}

void EngineLoad::let_go() {
  StepLoad::let_go();
  planned_.reset();
  lowered_.reset();
}

}  // namespace plimsoll
