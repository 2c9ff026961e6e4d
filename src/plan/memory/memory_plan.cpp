#include "plan/memory/memory_plan.h"

#include <algorithm>
#include <numeric>

#include "plan/memory/live_bytes.h"
#include "plan/memory/pack.h"

namespace plimsoll {
namespace {

// Bytes of the arena that are alive during each operation; all overflowed when their sum over the step is.
std::vector<Bytes> alive(const std::vector<PlannedStorage>& storages, size_t operations) {
  std::vector<Block> in_arena;
  for (const auto& storage : storages)
    if (!storage.persistent) in_arena.push_back({storage.size, storage.first, storage.last});
  const auto live = live_bytes(in_arena, operations);
  if (!live) return std::vector<Bytes>(operations, Bytes(Bytes::kOverflow));
  return {live->begin(), live->end()};
}

class Planner {
 public:
  Planner(const Program& program, const SizeRules& rules) : program_(program) {
    Lifetimes lives = lifetimes(program, rules);
    for (const auto& life : lives.storages) plan_.storages.push_back({life, Bytes(0)});
    plan_.storage_of = std::move(lives.storage_of);
    plan_.unknown_values = lives.unknown_values;
    plan_.fixed = rules.fixed(program);
  }

  MemoryPlan plan() {
    plan_.workspace_of.assign(program_.operations.size(), -1);
    for (size_t i = 0; i < plan_.storages.size(); ++i)
      if (!plan_.storages[i].value.present()) plan_.workspace_of[size_t(plan_.storages[i].first)] = int32_t(i);
    place();
    find_peak();
    describe();
    return std::move(plan_);
  }

 private:
  void place() {
    std::vector<Block> blocks;
    for (auto& storage : plan_.storages) {
      if (storage.persistent) {
        storage.offset = plan_.persistent;
        plan_.persistent += storage.size;
      } else {
        blocks.push_back({storage.size, storage.first, storage.last});
      }
    }
    const Packing packing = pack(blocks);
    plan_.arena = packing.arena;
    plan_.arena_bound = packing.bound;
    auto offset = packing.offsets.begin();
    for (auto& storage : plan_.storages)
      if (!storage.persistent) storage.offset = *offset++;
  }

  void find_peak() {
    plan_.timeline = alive(plan_.storages, std::max<size_t>(program_.operations.size(), 1));
    const auto peak = std::max_element(plan_.timeline.begin(), plan_.timeline.end());
    plan_.peak_operation = int32_t(peak - plan_.timeline.begin());
    for (auto& bytes : plan_.timeline) bytes += plan_.persistent + plan_.fixed;
  }

  bool alive_at_peak(const StorageLife& storage) const {
    return storage.first <= plan_.peak_operation && plan_.peak_operation <= storage.last;
  }

  void describe() {
    std::vector<const PlannedStorage*> there;
    const PlannedStorage* largest = nullptr;
    Bytes named = plan_.fixed;
    plan_.breakdown[MemoryPart::fixed] = plan_.fixed;
    for (const auto& storage : plan_.storages) {
      if (!largest || storage.size > largest->size) largest = &storage;
      if (!alive_at_peak(storage)) continue;
      plan_.breakdown[storage.part] += storage.size;
      named += storage.size;
      there.push_back(&storage);
    }
    plan_.breakdown[MemoryPart::activations] += plan_.peak() - named;
    std::stable_sort(there.begin(), there.end(), [](const auto* a, const auto* b) { return a->size > b->size; });
    for (const auto* storage : there) plan_.at_peak.push_back(tensor_of(program_, *storage));
    if (largest) plan_.largest = tensor_of(program_, *largest);
  }

  const Program& program_;
  MemoryPlan plan_;
};

}  // namespace

TensorInMemory tensor_of(const Program& program, const StorageLife& storage) {
  if (!storage.value.present())
    return {program.operations.at(size_t(storage.first)).name + " (workspace)", {}, storage.size, storage.part};
  const ProgramValue& value = program.value(storage.value);
  return {value.name, value.type, storage.size, storage.part};
}

Bytes MemoryBreakdown::total() const { return std::accumulate(bytes.begin(), bytes.end(), Bytes(0)); }

MemoryPlan plan_memory(const Program& program, const SizeRules& rules) { return Planner(program, rules).plan(); }

std::optional<TensorInMemory> first_over(const Program& program, const MemoryPlan& plan, Bytes limit) {
  if (plan.peak() <= limit) return std::nullopt;
  Bytes taken = plan.fixed;
  if (taken > limit) return TensorInMemory{"fixed part", {}, plan.fixed, MemoryPart::fixed};
  std::vector<const PlannedStorage*> arena;
  for (const auto& storage : plan.storages) {
    if (!storage.persistent) {
      arena.push_back(&storage);
      continue;
    }
    taken += storage.size;
    if (taken > limit) return tensor_of(program, storage);
  }
  std::stable_sort(arena.begin(), arena.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  std::vector<Bytes> given_back(plan.timeline.size() + 1);
  int32_t now = 0;
  for (const auto* storage : arena) {
    for (; now < storage->first; ++now) taken = taken - given_back[size_t(now)];
    taken += storage->size;
    given_back[size_t(storage->last)] += storage->size;
    if (taken > limit) return tensor_of(program, *storage);
  }
  // All that is alive would fit; the gaps of the arena do not. The first whose place is beyond the limit.
  for (const auto* storage : arena)
    if (plan.fixed + plan.persistent + storage->offset + storage->size > limit) return tensor_of(program, *storage);
  return std::nullopt;
}

std::span<const MemoryPart> all_memory_parts() {
  static constexpr MemoryPart kParts[] = {MemoryPart::parameters,  MemoryPart::gradients, MemoryPart::optimizer,
                                          MemoryPart::activations, MemoryPart::workspace, MemoryPart::input,
                                          MemoryPart::fixed};
  return kParts;
}

std::string_view part_name(MemoryPart part) {
  switch (part) {
    case MemoryPart::parameters: return "parameters";
    case MemoryPart::gradients: return "gradients";
    case MemoryPart::optimizer: return "optimizer";
    case MemoryPart::activations: return "activations";
    case MemoryPart::workspace: return "workspace";
    case MemoryPart::input: return "input";
    case MemoryPart::fixed: return "fixed";
  }
  return "";
}

}  // namespace plimsoll
