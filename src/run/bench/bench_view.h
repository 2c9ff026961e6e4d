// What is known beside the rows of bench: what was measured, the epoch that times are given for, other machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/weight/weigh.h"
#include "run/bench/bench_run.h"

namespace plimsoll {

inline constexpr int64_t kEpochSamples = 50'000;  // CIFAR-10's training set

// Another machine, for comparison: predicted, with all its cores.
struct BesideDevice {
  std::string name, framework;
  int64_t batch = 1;
  Seconds step, epoch;
};

struct BenchView {
  std::string model;
  Mode mode = Mode::train;
  int64_t samples = kEpochSamples;          // an epoch has so many
  std::optional<FlopsPerSecond> peak = {};  // of this machine, all cores, as probe measured it
  std::vector<BesideDevice> beside = {};
};

Seconds epoch_time(const BenchRun& run, const BenchView& view);

// Absent when this machine was not probed.
std::optional<double> peak_share(const BenchRun& run, const BenchView& view);

}  // namespace plimsoll
