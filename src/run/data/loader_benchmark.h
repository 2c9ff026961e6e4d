// How many samples a second the loader gives, by its number of workers, and where more of them stop helping.
#pragma once

#include "plan/time/loading_rate.h"
#include "run/data/loader.h"

namespace plimsoll {

struct LoaderRun {
  int workers = 0;
  SamplesPerSecond measured;
  std::optional<SamplesPerSecond> predicted;  // from one worker's rate, the cores and the drive; absent for 0 and 1
};

struct LoaderBenchmark {
  std::vector<LoaderRun> runs;
  int64_t cores = 1;
  Bytes sample;  // of one sample on the disk, on average
  std::optional<BytesPerSecond> drive;
  int knee = 1;  // the fewest workers that come within 10 % of the fastest
  std::string sentence;
};

struct LoaderBenchmarkOptions {
  std::vector<int> workers;  // at least one; rising
  int64_t batch = 128;
  Seconds each{1.5};  // of measuring, for each number of workers
  int64_t cores = 1;
  std::optional<BytesPerSecond> drive;  // as probed
};

// The dataset is read in random order. Its files are in the page cache after the first pass, so the drive counts only
// in the prediction; the sentence says so.
Result<LoaderBenchmark> benchmark_loader(const DatasetPtr& dataset, const LoaderBenchmarkOptions& options);

// The fewest workers within 10 % of the fastest, and why more add nothing: the drive, the cores, or neither.
void find_knee(LoaderBenchmark& benchmark);

}  // namespace plimsoll
