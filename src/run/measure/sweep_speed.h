// Measures what sweeps over memory (sweep_rates.h): the kernels of a small network's training step, each by itself, in
// the order and the memory of the step, so that caches hold what they would.
#pragma once

#include "base/result.h"
#include "plan/devices/sweep_rates.h"

namespace plimsoll {

struct SweepEffort {
  std::vector<int64_t> batches{1, 4, 24};
  int runs = 5;  // the shortest counts
};

Result<SweepRates> measure_sweep_speed(int threads, const SweepEffort& effort);

}  // namespace plimsoll
