// BenchRun: one row of `bench`: a network at a batch, with so many threads and a way of computing convolutions; and
// what rows beside each other tell.
#pragma once

#include <optional>
#include <vector>

#include "plan/memory/declined.h"
#include "run/bench/bench_step.h"

namespace plimsoll {

struct BenchRun {
  int64_t batch = 1, threads = 1;
  int64_t micro_batches = 1;  // passes of `batch` samples each in a step
  ConvSetting conv = ConvSetting::automatic;
  Flops flops;  // of the step, convolutions counted directly whatever way they are computed
  BenchResult result;
  std::optional<Seconds> predicted = {};     // absent when this machine was not probed
  std::vector<DeclinedGroup> declined = {};  // kernels that were asked and could not
  double speedup = 1;                        // against the first row of the same batch and way

  FlopsPerSecond rate() const { return {double(flops.value()) / result.median().value}; }
  double images_per_second() const { return double(batch * micro_batches) / result.median().value; }
};

// Every arithmetic operation of a step, all its micro-batches.
Flops step_flops(const Program& step);

// Sets `speedup` of every row.
void compare_threads(std::vector<BenchRun>& runs);

// The number of threads to take: the fastest, or fewer where the difference is lost in the spread (the quartiles of
// both overlap).
struct BestThreads {
  ConvSetting conv = ConvSetting::automatic;
  int64_t batch = 1;
  int64_t threads = 1, fastest = 1;
  double slower = 0;  // than the fastest, as a share of its time; 0 when it is the fastest
};

// One for each batch and way that was measured with several numbers of threads.
std::vector<BestThreads> best_threads(const std::vector<BenchRun>& runs);

// "the fastest", or why fewer threads are taken.
std::string why_best(const BestThreads& best);

}  // namespace plimsoll
