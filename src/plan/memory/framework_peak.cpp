#include "plan/memory/framework_peak.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace plimsoll {
namespace {

// Low and high are this factor away, so high is 1.3 times low. Measurements scatter less; other versions of a
// framework, and cards that were not measured, are to stay inside.
constexpr double kSpread = 1.14;

// What runs at all, cache emptied: tensors, a little more for gaps between them, and the scratch memory that no kernel
// goes without. From the batches that ran and those that did not on a card of 24 GiB (timm_train_rtx3090).
constexpr double kGaps = 1.02;
constexpr int64_t kLeastScratch = int64_t{256} << 20;

// The second step is the fullest: gradients and optimizer state of the first are there, and a new gradient is
// added to the old one from memory of its own. The third repeats it.
constexpr int kSteps = 2;

Bytes scaled(Bytes bytes, double factor) {
  const double value = double(bytes.value()) * factor;
  return bytes.overflowed() || value >= double(Bytes::kOverflow) ? Bytes(Bytes::kOverflow) : Bytes(std::llround(value));
}

// How a framework treats the storages of a step.
class StepHabits {
 public:
  StepHabits(const FrameworkProfile& profile, const Program& program)
      : pytorch_(profile.framework() == Framework::pytorch),
        operations_(std::max(int32_t(program.operations.size()), 1)),
        update_(operations_) {
    for (size_t t = program.operations.size(); t-- > 0 && program.operations[t].phase == Phase::update;)
      update_ = int32_t(t);
  }

  int32_t operations() const { return operations_; }
  int32_t update() const { return update_; }  // the first operation of the updates; after the last when there are none

  // PyTorch makes optimizer state in the first update, and gradients are kept from step to step.
  bool is_lazy(const StorageLife& life) const { return pytorch_ && life.part == MemoryPart::optimizer; }
  bool is_kept_gradient(const StorageLife& life) const {
    return pytorch_ && life.part == MemoryPart::gradients && !life.persistent;
  }
  int32_t last_of(const StorageLife& life) const {
    return life.part == MemoryPart::input ? operations_ - 1 : life.last;
  }

 private:
  bool pytorch_;
  int32_t operations_, update_;
};

enum class Counted { tensors, tensors_and_scratch };

// The largest sum of sizes at one moment of the second step (kSteps).
Bytes fullest(const StepHabits& habits, const std::vector<StorageLife>& storages, Counted counted) {
  std::vector<int64_t> change(size_t(habits.operations()) + 1, 0);
  Bytes always, others;
  const auto lives = [&](Bytes size, int32_t first, int32_t last) {
    others += size;
    if (others.overflowed()) return;
    change[size_t(first)] += size.value();
    change[size_t(last) + 1] -= size.value();
  };
  for (const auto& life : storages) {
    if (life.part == MemoryPart::workspace && counted == Counted::tensors) continue;
    const bool kept = habits.is_kept_gradient(life);
    if (habits.is_lazy(life) && habits.update() == habits.operations()) continue;
    if (life.persistent || kept) always += life.size;
    if (kept) lives(life.size, life.first, life.first);
    else if (!life.persistent) lives(life.size, life.first, habits.last_of(life));
  }
  if ((always + others).overflowed()) return Bytes(Bytes::kOverflow);
  int64_t sum = 0, most = 0;
  for (const int64_t more : change) most = std::max(most, sum += more);
  return always + Bytes(most);
}

Bytes most_needed(const StepHabits& habits, const std::vector<StorageLife>& storages) {
  return scaled(fullest(habits, storages, Counted::tensors), kGaps) + Bytes(kLeastScratch);
}

// The storages of each operation, side by side in one row: a replay is too short for thousands of small lists.
class Events {
 public:
  Events() = default;
  template <class OperationOf>
  Events(size_t operations, const std::vector<StorageLife>& storages, OperationOf operation_of)
      : begin_(operations + 1, 0) {
    for (size_t s = 0; s < storages.size(); ++s)
      if (!storages[s].persistent) ++begin_[size_t(operation_of(s, storages[s])) + 1];
    for (size_t t = 1; t < begin_.size(); ++t) begin_[t] += begin_[t - 1];
    storages_.resize(size_t(begin_.back()));
    std::vector<int32_t> next(begin_.begin(), begin_.end() - 1);
    for (size_t s = 0; s < storages.size(); ++s)
      if (!storages[s].persistent) storages_[size_t(next[size_t(operation_of(s, storages[s]))]++)] = int32_t(s);
  }

  std::span<const int32_t> at(int32_t operation) const {
    const auto first = size_t(begin_[size_t(operation)]), last = size_t(begin_[size_t(operation) + 1]);
    return std::span(storages_).subspan(first, last - first);
  }

 private:
  std::vector<int32_t> begin_, storages_;
};

class Replay {
 public:
  Replay(const FrameworkProfile& profile, const Program& program, const Lifetimes& lifetimes, std::optional<Bytes> line,
         std::vector<MemoryInUse>* timeline)
      : profile_(profile),
        habits_(profile, program),
        storages_(lifetimes.storages),
        line_(line),
        timeline_(timeline),
        allocator_(profile.allocator()),
        blocks_(storages_.size(), kNone),
        operations_(habits_.operations()) {
    sort_events();
    if (timeline_) timeline_->assign(size_t(operations_), {});
  }

  FrameworkPeak run() {
    for (size_t s = 0; s < storages_.size(); ++s)
      if (storages_[s].persistent && !is_lazy(s)) blocks_[s] = take(s);
    for (int i = 0; i < kSteps; ++i) step();
    peak_.fixed = profile_.fixed();
    peak_.held = allocator_.held();
    peak_.needed = peak_.fixed + std::min(most_needed(habits_, storages_), peak_.held);
    const Bytes expected = peak_.fixed + peak_.held;
    peak_.range = peak_range(expected);
    return peak_;
  }

 private:
  static constexpr int32_t kNone = -1;

  bool pytorch() const { return profile_.framework() == Framework::pytorch; }
  bool is_lazy(size_t s) const { return habits_.is_lazy(storages_[s]); }
  bool is_kept_gradient(size_t s) const { return habits_.is_kept_gradient(storages_[s]); }
  bool is_tensor(size_t s) const { return storages_[s].part != MemoryPart::workspace; }

  // Storages by the operation that they are born at, and by the one they die at.
  void sort_events() {
    births_ = Events(size_t(operations_), storages_, [](size_t, const StorageLife& life) { return life.first; });
    deaths_ =
        Events(size_t(operations_), storages_, [&](size_t, const StorageLife& life) { return habits_.last_of(life); });
  }

  int32_t take(size_t s) {
    if (is_tensor(s)) tensors_[storages_[s].part] += storages_[s].size;
    return take(s, storages_[s].size);
  }

  int32_t take(size_t s, Bytes size) {
    if (size == Bytes(0)) return kNone;
    const bool crosses = line_ && profile_.fixed() + allocator_.held_with(size) > *line_;
    if (crosses && storages_[s].part == MemoryPart::workspace) return kNone;
    if (crosses && !peak_.over) peak_.over = int32_t(s);
    const int32_t block = allocator_.take(size);
    if (allocator_.in_use() > peak_.live) {
      peak_.live = allocator_.in_use();
      peak_.tensors = tensors_;
      peak_.fullest = now_;
    }
    note();
    return block;
  }

  void give_back(size_t s, int32_t block) {
    allocator_.give_back(block);
    if (!is_tensor(s)) return;
    Bytes& bytes = tensors_[storages_[s].part];
    bytes = bytes - storages_[s].size;
  }

  void note() {
    if (!timeline_) return;
    MemoryInUse& here = (*timeline_)[size_t(now_)];
    if (allocator_.in_use() > here.all) here = {tensors_.total(), allocator_.in_use()};
  }

  void step() {
    now_ = 0;
    std::vector<int32_t> copies = weight_copies();
    for (now_ = 0; now_ < operations_; ++now_) {
      if (now_ == habits_.update()) begin_update(copies);
      operation();
    }
    give_back(copies);
  }

  void operation() {
    note();
    std::vector<std::pair<size_t, int32_t>> added;  // gradients that were there already
    for (const int32_t s : births_.at(now_)) {
      const int32_t block = take(size_t(s));
      if (is_kept_gradient(size_t(s)) && blocks_[size_t(s)] != kNone) {
        added.emplace_back(size_t(s), block);
      } else {
        blocks_[size_t(s)] = block;
      }
    }
    for (const auto& [s, block] : added) give_back(s, block);
    for (const int32_t s : deaths_.at(now_)) {
      if (is_kept_gradient(size_t(s))) continue;
      give_back(size_t(s), blocks_[size_t(s)]);
      blocks_[size_t(s)] = kNone;
    }
  }

  void begin_update(std::vector<int32_t>& copies) {
    give_back(copies);
    for (size_t s = 0; s < storages_.size(); ++s)
      if (is_lazy(s) && blocks_[s] == kNone) blocks_[s] = take(s);
  }

  // Mixed precision computes with 16-bit copies of the 32-bit weights, made in the forward pass and kept for the
  // backward pass.
  std::vector<int32_t> weight_copies() {
    std::vector<int32_t> copies;
    if (!profile_.mixed() || pytorch()) return copies;  // PyTorch's are in the program (framework_autocast.h)
    for (size_t s = 0; s < storages_.size(); ++s)
      if (storages_[s].part == MemoryPart::parameters && storages_[s].persistent)
        copies.push_back(take(s, Bytes(storages_[s].size.value() / 2)));
    return copies;
  }

  void give_back(std::vector<int32_t>& blocks) {
    for (const int32_t block : blocks) allocator_.give_back(block);
    blocks.clear();
  }

  const FrameworkProfile& profile_;
  const StepHabits habits_;
  const std::vector<StorageLife>& storages_;
  const std::optional<Bytes> line_;
  std::vector<MemoryInUse>* const timeline_;
  FrameworkAllocator allocator_;
  std::vector<int32_t> blocks_;  // of each storage, kNone when it has none
  Events births_, deaths_;
  const int32_t operations_;
  int32_t now_ = 0;
  MemoryBreakdown tensors_;  // that have memory now
  FrameworkPeak peak_;
};

}  // namespace

PeakRange peak_range(Bytes expected) { return {scaled(expected, 1 / kSpread), expected, scaled(expected, kSpread)}; }

PeakRange exact_range(Bytes peak) { return {peak, peak, peak}; }

NeededBounds needed_bounds(const FrameworkProfile& profile, const Program& program, const Lifetimes& lifetimes) {
  const StepHabits habits(profile, program);
  const Bytes most = most_needed(habits, lifetimes.storages);
  return {std::min(most, fullest(habits, lifetimes.storages, Counted::tensors_and_scratch)), most};
}

FrameworkPeak framework_peak(const FrameworkProfile& profile, const Program& program, const Lifetimes& lifetimes,
                             std::optional<Bytes> line, std::vector<MemoryInUse>* timeline) {
  return Replay(profile, program, lifetimes, line, timeline).run();
}

}  // namespace plimsoll
