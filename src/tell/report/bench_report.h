// What bench measured, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/bench/bench_run.h"
#include "tell/report/json.h"

namespace plimsoll {

inline constexpr int64_t kEpochSamples = 50'000;  // CIFAR-10's training set

// Another machine, for comparison: predicted, with all its cores.
struct BesideDevice {
  std::string name, framework;
  int64_t batch = 1;
  Seconds step, epoch;
};

struct BenchView {
  std::string model, mode;
  int64_t samples = kEpochSamples;          // an epoch has so many
  std::optional<FlopsPerSecond> peak = {};  // of this machine, all cores, as probe measured it
  std::vector<BesideDevice> beside = {};
};

std::string bench_text(const std::vector<BenchRun>& runs, const BenchView& view);
Json bench_json(const std::vector<BenchRun>& runs, const BenchView& view);

// "batch 8, winograd": what tells this row's step from those of other rows.
std::string step_label(const BenchRun& run, const std::vector<BenchRun>& runs);

// Whether rows differ in this: if (differ(runs, &BenchRun::conv)) …
template <class Field>
bool differ(const std::vector<BenchRun>& runs, Field BenchRun::*field) {
  for (const auto& run : runs)
    if (run.*field != runs.front().*field) return true;
  return false;
}

Seconds epoch_time(const BenchRun& run, const BenchView& view);

}  // namespace plimsoll
