// lifetimes: which memory a Program needs, and from which operation to which.
//
// Several values may share one storage (views, results written over an input); it lives as long as any of them.
#pragma once

#include <span>

#include "model/ir/program.h"
#include "plan/memory/size_rules.h"

namespace plimsoll {

// What memory is counted as. Parameters: with buffers and constants, all that is stored with the network.
enum class MemoryPart : uint8_t { parameters, gradients, optimizer, activations, workspace, input, fixed };

struct StorageLife {
  ValueId value;      // the value whose memory it is; absent: the workspace of operation `first`
  Bytes size;         // a multiple of kAlignment (pack.h)
  int32_t first = 0;  // operations, both included
  int32_t last = 0;
  MemoryPart part = MemoryPart::activations;
  bool persistent = false;  // kept for the whole step, and its memory is never given to others
};

struct Lifetimes {
  std::vector<StorageLife> storages;  // values in the program's order, then workspaces
  std::vector<int32_t> storage_of;    // of each value, an index into storages; -1: takes no memory
  int64_t unknown_values = 0;         // computed, but of unknown size: counted as 0 bytes
};

Lifetimes lifetimes(const Program& program, const SizeRules& rules);

// Without sizes and workspaces.
Lifetimes lifetimes_alone(const Program& program);

// Sizes and workspaces anew, for the same step at another batch: lifetimes are the same at every batch. `moments`: of
// a program that has only some of the step's operations, which of them these are.
void set_sizes(Lifetimes& lifetimes, const Program& program, const SizeRules& rules,
               std::span<const int32_t> moments = {});

}  // namespace plimsoll
