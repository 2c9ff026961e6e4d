// What bench measured, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/bench/bench_step.h"
#include "tell/report/json.h"

namespace plimsoll {

struct BenchRun {
  int64_t batch = 1, threads = 1;
  BenchResult result;
  std::optional<Seconds> predicted;  // absent when this machine was not probed
  std::optional<double> speedup;     // against the first number of threads
};

struct BenchView {
  std::string model, mode;
};

std::string bench_text(const std::vector<BenchRun>& runs, const BenchView& view);
Json bench_json(const std::vector<BenchRun>& runs, const BenchView& view);

}  // namespace plimsoll
