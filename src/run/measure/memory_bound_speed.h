// Measures what passes over memory (memory_bound_rates.h): the kernels of a small network's training step, each by
// itself, in the order and the memory of the step, so that caches hold what they would.
#pragma once

#include "base/result.h"
#include "plan/devices/memory_bound_rates.h"

namespace plimsoll {

// Of the network that is measured.
struct MemoryBoundSize {
  int64_t batch;
  int64_t side = 56;     // of its pictures
  int64_t width = 4096;  // of its linear layers
  int64_t blocks = 1;    // of the same size; several together are more than a cache holds
};

struct MemoryBoundEffort {
  // From what caches hold to what none holds. A step of larger values is deep as well, as networks that have such
  // values are: what one operation wrote is gone from the caches when the backward pass reads it.
  std::vector<MemoryBoundSize> sizes{
      {1, 14, 512}, {2, 28, 1024}, {.batch = 1, .blocks = 8}, {.batch = 4, .blocks = 4}, {.batch = 24, .blocks = 2}};
  int rounds = 2;  // over all sizes: a busy moment then spoils none
  int runs = 5;    // of each kernel in a round; the shortest counts
};

// `before`: what was measured earlier; of both the faster stays, since whatever else ran can only have slowed one.
Result<MemoryBoundRates> measure_memory_bound_speed(int threads, const MemoryBoundEffort& effort,
                                                    const MemoryBoundRates& before = {});

}  // namespace plimsoll
