// bench_step: one step of a network, measured: made-up samples through the real loader into the real executor, in a
// process of its own. An inference finds its samples in memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/ir/program.h"
#include "run/bench/profile.h"
#include "run/exec/backend.h"

namespace plimsoll {

struct BenchCase {
  Program step;  // what make_step() returned
  const Backend* backend = nullptr;
  EngineOptions engine{1};
  int warm_up = 2;                  // steps that are not counted
  int least_steps = 5;              // measured at least so many
  Seconds least_time = Seconds{1};  // and at least for so long
  bool profile = false;             // then as many steps again, with every operation timed
};

struct BenchResult {
  std::vector<double> seconds;  // of each measured step, sorted
  Seconds processor;            // that a step took of all processors, the loader's share included: the median
  Bytes planned, peak;
  int64_t reorders = 0;
  std::map<ConvMethod, int64_t> conv_methods;  // how many convolutions are computed how
  std::vector<std::string> by_reference;
  std::optional<Profile> profile;

  Seconds median() const;
  Seconds quartile(int which) const;  // 1: a quarter of the steps took less; 3: three quarters
  // Half of the steps lie within this, as a share of the median.
  double spread() const;
};

Result<BenchResult> bench_step(const BenchCase& bench);

}  // namespace plimsoll
