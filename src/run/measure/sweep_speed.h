// Measures what sweeps over memory (sweep_rates.h): the kernels of a small network's training step, each by itself, in
// the order and the memory of the step, so that caches hold what they would.
#pragma once

#include "base/result.h"
#include "plan/devices/sweep_rates.h"

namespace plimsoll {

// Of the network that is measured.
struct SweepSize {
  int64_t batch;
  int64_t side = 56;     // of its pictures
  int64_t width = 4096;  // of its linear layers
};

struct SweepEffort {
  // What caches hold, and weights that none holds.
  std::vector<SweepSize> sizes{{1, 14, 512}, {2, 28, 1024}, {1}, {4}, {24}};
  int rounds = 3;  // over all sizes: a busy moment then spoils none
  int runs = 5;    // of each kernel in a round; the shortest counts
};

Result<SweepRates> measure_sweep_speed(int threads, const SweepEffort& effort);

}  // namespace plimsoll
