#include "plan/memory/fresh_pages.h"

#include "plan/memory/system_heap.h"

namespace plimsoll {
namespace {

constexpr int kWarmSteps = 2;  // the heap grows to its form in these

class Replay {
 public:
  Replay(const Program& program, const Lifetimes& lifetimes)
      : storages_(lifetimes.storages),
        blocks_(storages_.size(), kNone),
        births_(program.operations.size()),
        deaths_(program.operations.size()) {
    update_ = program.operations.size();
    while (update_ > 0 && program.operations[update_ - 1].phase == Phase::update) --update_;
    for (size_t s = 0; s < storages_.size(); ++s) {
      if (storages_[s].persistent || births_.empty()) continue;
      births_[size_t(storages_[s].first)].push_back(s);
      if (storages_[s].part != MemoryPart::input && !is_gradient(s)) deaths_[size_t(storages_[s].last)].push_back(s);
    }
  }

  HeapUse run() {
    for (size_t s = 0; s < storages_.size(); ++s)
      if ((storages_[s].persistent && storages_[s].part != MemoryPart::optimizer) ||
          storages_[s].part == MemoryPart::input)
        take(s);
    for (int i = 0; i < kWarmSteps; ++i) step();
    const Bytes before = heap_.fresh();
    step();
    return {heap_.fresh() - before, heap_.most_resident()};
  }

 private:
  static constexpr int32_t kNone = -1;

  // zero_grad() frees gradients before the next forward pass.
  bool is_gradient(size_t s) const { return storages_[s].part == MemoryPart::gradients; }

  void take(size_t s) {
    if (blocks_[s] == kNone && storages_[s].size > Bytes(0)) blocks_[s] = heap_.take(storages_[s].size);
  }
  void give_back(size_t s) {
    heap_.give_back(blocks_[s]);
    blocks_[s] = kNone;
  }

  void step() {
    for (size_t s = 0; s < storages_.size(); ++s)
      if (is_gradient(s) && !storages_[s].persistent) give_back(s);
    for (size_t t = 0; t < births_.size(); ++t) {
      if (t == update_) make_state();
      for (const size_t s : births_[t]) take(s);
      for (const size_t s : deaths_[t]) give_back(s);
    }
  }

  // Optimizer state is made in the first update, above all that the step had: the heap no longer shrinks below it.
  void make_state() {
    for (size_t s = 0; s < storages_.size(); ++s)
      if (storages_[s].part == MemoryPart::optimizer) take(s);
  }

  const std::vector<StorageLife>& storages_;
  std::vector<int32_t> blocks_;
  std::vector<std::vector<size_t>> births_, deaths_;
  size_t update_ = 0;
  SystemHeap heap_;
};

}  // namespace

HeapUse heap_use(const Program& program, const Lifetimes& lifetimes) { return Replay(program, lifetimes).run(); }

}  // namespace plimsoll
