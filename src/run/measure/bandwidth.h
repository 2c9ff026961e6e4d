// How fast each level of the memory is read and written, by one core and by all.
#pragma once

#include <string_view>
#include <vector>

#include "run/measure/caches.h"
#include "run/measure/team.h"

namespace plimsoll {

// A level, and how much of it a team works on.
struct Level {
  std::string_view name;  // "L1", "L2", "L3", "RAM"
  Bytes each;             // what each member works on: fits this level, not the one before
};

// The levels that can be told apart when `threads` work at once; never more than a quarter of `memory` in all.
std::vector<Level> memory_levels(const Caches& caches, Bytes memory, int threads);

struct Bandwidth {
  BytesPerSecond read;
  BytesPerSecond triad;  // to = a + factor · b: two reads and a write, each counted once
};

Result<Bandwidth> measure_bandwidth(const Level& level, int threads, const Effort& effort);

}  // namespace plimsoll
