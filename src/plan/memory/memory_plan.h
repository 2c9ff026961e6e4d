// MemoryPlan: where every tensor of a Program lies, how much memory that takes and when.
//
// Memory is three parts side by side: the fixed one, which is outside any plan; the persistent one, where stored
// values have places of their own for the whole step; and the arena, which everything else shares. Offsets count
// from the start of the part that a storage is in. A plan refers to its Program's values and operations by index
// and holds no pointers to it.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "plan/memory/lifetimes.h"

namespace plimsoll {

struct PlannedStorage : StorageLife {
  Bytes offset;  // in the persistent part or in the arena
};

// A tensor, as a reader is told of it.
struct TensorInMemory {
  std::string name;
  std::optional<TensorType> type;  // nullopt: a workspace, the fixed part
  Bytes bytes;
  MemoryPart part = MemoryPart::activations;
};

// Bytes of each part at the peak; their sum is the peak.
struct MemoryBreakdown {
  std::array<Bytes, 7> bytes;  // by MemoryPart; activations with the gaps between them

  Bytes operator[](MemoryPart part) const { return bytes[size_t(part)]; }
  Bytes& operator[](MemoryPart part) { return bytes[size_t(part)]; }
  Bytes total() const;
};

struct MemoryPlan {
  std::vector<PlannedStorage> storages;
  std::vector<int32_t> storage_of;    // of each value, an index into storages; -1: takes no memory
  std::vector<int32_t> workspace_of;  // of each operation, in the same way
  Bytes fixed;
  Bytes persistent;
  Bytes arena;
  Bytes arena_bound;  // no arena can be smaller: the largest sum of its bytes alive during one operation

  std::vector<Bytes> timeline;            // bytes alive during each operation, all parts included
  int32_t peak_operation = 0;             // the first at which the timeline is highest
  MemoryBreakdown breakdown;              // at the peak
  std::vector<TensorInMemory> at_peak;    // what is alive then, largest first
  std::optional<TensorInMemory> largest;  // of all tensors of the step
  int64_t unknown_values = 0;             // computed, but of unknown size: counted as 0 bytes

  // Overflowed when it is more than a 64-bit count holds; offsets mean nothing then.
  Bytes peak() const { return fixed + persistent + arena; }
  Bytes bound() const { return fixed + persistent + arena_bound; }
};

MemoryPlan plan_memory(const Program& program, const SizeRules& rules);

// The tensor that breaks a limit: memory is taken as the step would take it, the fixed part first, then what is
// persistent, then each operation's outputs and workspace, and given back after the last read. nullopt: the plan fits.
std::optional<TensorInMemory> first_over(const Program& program, const MemoryPlan& plan, Bytes limit);

// What a storage is called and how much it takes.
TensorInMemory tensor_of(const Program& program, const StorageLife& storage);

std::string_view part_name(MemoryPart part);  // "parameters"
std::span<const MemoryPart> all_memory_parts();

}  // namespace plimsoll
