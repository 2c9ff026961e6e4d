#include "plan/verdict/profiled_load.h"

#include <algorithm>

#include "plan/memory/fresh_pages.h"
#include "plan/memory/kept_for_backward.h"
#include "plan/verdict/accuracy_notes.h"

namespace plimsoll {
namespace {

// As large as the network states it: how an allocator rounds is not told tensor by tensor.
TensorInMemory stated(const Program& program, const StorageLife& storage) {
  TensorInMemory tensor = tensor_of(program, storage);
  if (tensor.type) tensor.bytes = tensor.type->bytes();
  return tensor;
}

std::vector<TensorInMemory> alive_at(const Program& program, const Lifetimes& lifetimes, int32_t operation) {
  std::vector<TensorInMemory> alive;
  for (const auto& storage : lifetimes.storages)
    if (storage.value.present() && (storage.persistent || (storage.first <= operation && operation <= storage.last)))
      alive.push_back(stated(program, storage));
  std::stable_sort(alive.begin(), alive.end(),
                   [](const TensorInMemory& a, const TensorInMemory& b) { return a.bytes > b.bytes; });
  return alive;
}

MemoryTimeline timeline_of(const std::vector<MemoryInUse>& in_use, const FrameworkPeak& peak) {
  MemoryTimeline timeline{{}, {}, peak.range.expected - peak.live};
  for (const auto& [tensors, all] : in_use) {
    timeline.tensors.push_back(tensors);
    timeline.workspace.push_back(all - tensors);
  }
  return timeline;
}

// At the fullest moment. Scratch memory is what is in use beyond the tensors: a library takes less where it is tight.
MemoryBreakdown breakdown_of(const FrameworkPeak& peak) {
  MemoryBreakdown breakdown = peak.tensors;
  breakdown[MemoryPart::workspace] = std::max(Bytes(0), peak.live - breakdown.total());
  // The context, and what the allocator holds beyond what is in use.
  breakdown[MemoryPart::fixed] = std::max(Bytes(0), peak.range.expected - breakdown.total());
  return breakdown;
}

}  // namespace

Room ProfiledLoad::room(const Device* device, Bytes line) const {
  return {line, FrameworkProfile(profile_->framework(), device, profile_->mixed()).fixed()};
}

// Of the batch that the curve is at, on a device with that much memory.
FrameworkPeak ProfiledLoad::replay(const Room& room, std::vector<MemoryInUse>* timeline) const {
  return replay({&curve_.step(), &curve_.storages()}, room, timeline);
}

FrameworkPeak ProfiledLoad::replay(Storages of, const Room& room, std::vector<MemoryInUse>* timeline) const {
  std::optional<Bytes> line;
  if (!room.line.overflowed()) line = room.line - room.fixed + profile_->fixed();
  FrameworkPeak peak = framework_peak(*profile_, *of.step, *of.lives, line, timeline);
  peak.range = peak_range(peak.held + room.fixed);
  peak.needed = peak.needed - peak.fixed + room.fixed;
  peak.fixed = room.fixed;
  return peak;
}

// Sizes alone where that is enough: a copy of the step takes longer to make than all that is asked of it.
Result<ProfiledLoad::Storages> ProfiledLoad::storages_at(int64_t batch) {
  if (!family_->straight()) {
    PLIM_TRY(curve_.move_to(batch));
    return Storages{&curve_.step(), &curve_.storages()};
  }
  if (!sizes_) sizes_.emplace(*family_, *profile_);
  return Storages{&family_->smallest(), &sizes_->at(batch)};
}

Result<Bytes> ProfiledLoad::free_at(int64_t batch) {
  if (const auto known = free_.find(batch); known != free_.end()) return known->second;
  PLIM_ASSIGN(const Storages storages, storages_at(batch));
  const FrameworkPeak peak = replay(storages, {Bytes(Bytes::kOverflow), Bytes(0)});
  needed_[batch] = peak.needed;
  return free_[batch] = peak.held;
}

Result<Bytes> ProfiledLoad::expected_at(int64_t batch, const Room& room) {
  PLIM_ASSIGN(const Bytes free, free_at(batch));
  if (free + room.fixed <= room.line) return free + room.fixed;
  if (on_gpu_with_cache()) return needed_.at(batch) + room.fixed;  // the same whatever the line is
  const auto [known, is_new] = tight_.try_emplace({batch, (room.line - room.fixed).value()});
  if (is_new) {
    PLIM_TRY(curve_.move_to(batch));
    known->second = replay(room).held;
  }
  return known->second + room.fixed;
}

Result<NeededBounds> ProfiledLoad::bounds_at(int64_t batch) {
  if (const auto known = bounds_.find(batch); known != bounds_.end()) return known->second;
  PLIM_ASSIGN(const Storages storages, storages_at(batch));
  return bounds_[batch] = needed_bounds(*profile_, *storages.step, *storages.lives);
}

// First as if there were room for everything, then for what libraries can do without.
Result<int64_t> ProfiledLoad::largest_under(const Room& room) {
  if (family_->only_batch()) return only_batch_under(room);
  if (on_gpu_with_cache() && family_->straight()) return largest_needed(room);
  const Bytes limit = room.line - room.fixed;
  const auto free = [&](int64_t batch) { return free_at(batch); };
  PLIM_ASSIGN(const int64_t most, most_to_ask(limit, free));
  PLIM_ASSIGN(const int64_t easily, largest_batch(limit, 1, most, free, free_));
  if (easily == kMostSamples) return easily;
  const auto tight = [&](int64_t batch) { return expected_at(batch, room); };
  PLIM_ASSIGN(const Bytes next, tight(easily + 1));
  if (next > room.line) return easily;
  return largest_batch(room.line, easily + 1, 8 * (easily + 1), tight);
}

// Steps are replayed only between what fits in any case and what does not in any.
Result<int64_t> ProfiledLoad::largest_needed(const Room& room) {
  const Bytes limit = room.line - room.fixed;
  const auto bound = [&](Bytes NeededBounds::*end) {
    return [this, end](int64_t batch) -> Result<Bytes> {
      PLIM_ASSIGN(const NeededBounds bounds, bounds_at(batch));
      return bounds.*end;
    };
  };
  PLIM_ASSIGN(const int64_t high, largest_batch(limit, 1, kMostSamples, bound(&NeededBounds::least)));
  if (high == 0) return high;
  PLIM_ASSIGN(const int64_t low, largest_batch(limit, 1, high, bound(&NeededBounds::most)));
  if (low == high) return high;
  const auto needed = [&](int64_t batch) { return expected_at(batch, room); };
  PLIM_ASSIGN(const Bytes next, needed(low + 1));  // mostly past the line
  if (next > room.line) return low;
  return largest_batch(room.line, low + 1, high, needed);
}

Result<bool> ProfiledLoad::carries(int64_t batch, const Room& room) {
  if (on_gpu_with_cache()) {
    PLIM_ASSIGN(const NeededBounds bounds, bounds_at(batch));
    if (bounds.most + room.fixed <= room.line) return true;
    if (bounds.least + room.fixed > room.line) return false;
  }
  PLIM_ASSIGN(const Bytes peak, expected_at(batch, room));
  return peak <= room.line;
}

Result<BatchLoad> ProfiledLoad::at(int64_t batch, const Room& room) {
  BatchLoad load;
  load.batch = batch;
  PLIM_TRY(curve_.move_to(batch));
  std::vector<MemoryInUse> in_use;
  // The peak is that of a card with room for everything, unless the framework has no cache to give up.
  const Room roomy{Bytes(Bytes::kOverflow), room.fixed};
  const FrameworkPeak peak = replay(on_gpu_with_cache() ? roomy : room, &in_use);
  load.peak = peak.range;
  load.needed = on_gpu_with_cache() ? peak.needed : peak.range.expected;
  load.reserved = peak.held;
  load.allocated = peak.live;
  load.breakdown = breakdown_of(peak);
  load.bound = peak.live + peak.fixed;
  load.gradients = gradients_of(curve_.storages().storages);
  if (curve_.step().loss.present()) load.kept = kept_for_backward(curve_.step(), *profile_);
  load.at_peak = alive_at(curve_.step(), curve_.storages(), peak.fullest);
  load.peak_operation = name_at(curve_.step(), peak.fullest);
  load.timeline = timeline_of(in_use, peak);
  for (const auto& storage : curve_.storages().storages)
    if (storage.value.present() && (!load.largest_tensor || storage.size > load.largest_tensor->bytes))
      load.largest_tensor = stated(curve_.step(), storage);
  return load;
}

Result<std::optional<TensorInMemory>> ProfiledLoad::first_over(int64_t batch, const Room& room) {
  PLIM_TRY(curve_.move_to(batch));
  const Program& step = curve_.step();
  const auto over = replay(room).over;
  if (!over) return std::optional<TensorInMemory>();
  return std::optional(stated(step, curve_.storages().storages[size_t(*over)]));
}

Result<Bytes> ProfiledLoad::fresh_at(int64_t batch) {
  if (profile_->framework() != Framework::pytorch || profile_->allocator() != AllocatorKind::region) return Bytes(0);
  PLIM_TRY(curve_.move_to(batch));
  return heap_use(curve_.step(), curve_.storages()).fresh;
}

void ProfiledLoad::let_go() {
  StepLoad::let_go();
  sizes_.reset();
}

std::vector<std::string> ProfiledLoad::notes(bool may_recompute) const {
  const bool measured = in_f32_ && !may_recompute;  // steps that recompute were not
  const Program& step = family_->straight() ? family_->smallest() : curve_.step();
  return accuracy_notes(profile_->framework(), measured, step);
}

}  // namespace plimsoll
