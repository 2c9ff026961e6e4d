// bench, asked and answered: how long a step really takes here, and how much memory, beside what was predicted.
#pragma once

#include "plan/ask/machine_request.h"
#include "plan/ask/model_request.h"
#include "plan/ask/step_request.h"
#include "run/bench/bench_view.h"

namespace plimsoll {

struct BenchRequest {
  ModelRequest model;
  std::vector<int64_t> batch{1};
  StepRequest step;
  std::vector<int64_t> threads;  // empty: this machine's cores
  std::vector<ConvSetting> conv{ConvSetting::automatic};
  int64_t steps = BenchCase{}.least_steps, warm_up = BenchCase{}.warm_up;
  double seconds = BenchCase{}.least_time.value;
  int64_t samples = kEpochSamples;
  std::vector<std::string> beside;
  RunDevice device;
  ComputeFormat compute;
  std::optional<std::string> backend;
  bool profile = false;
  std::optional<std::string> check;  // a file

  void describe(Fields& fields);
};

// What is measured: every way with every batch and every number of threads. Each stands there once, in the order given.
struct BenchGrid {
  std::vector<ConvSetting> ways;
  std::vector<int64_t> batches, threads;
};
BenchGrid grid_of(const BenchRequest& request);

struct BenchOutcome {
  std::vector<BenchRun> runs;
  BenchView view;
};

// What is wrong with the request itself, before a large file is read or anything is measured.
Status check(const BenchRequest& request);

Result<BenchOutcome> ask_bench(const BenchRequest& request);

}  // namespace plimsoll
