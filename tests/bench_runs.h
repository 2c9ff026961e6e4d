// Rows of bench as if they had been measured.
#pragma once

#include "run/bench/bench_run.h"

namespace plimsoll {

// `spread`: the quartiles lie half of it below and above the median.
inline BenchRun made_up_run(int64_t batch, int64_t threads, ConvSetting conv, Seconds median, double spread = 0.02) {
  BenchRun run;
  run.batch = batch;
  run.threads = threads;
  run.conv = conv;
  run.flops = Flops(batch * 1'000'000'000);
  const double half = median.value * spread / 2;
  run.result.seconds = {median.value - half, median.value - half, median.value, median.value + half,
                        median.value + half};
  run.result.processor = Seconds{median.value * double(threads)};
  run.result.planned = Bytes(200 << 20);
  run.result.peak = Bytes(202 << 20);
  run.result.reorders = 3;
  run.predicted = Seconds{median.value * 1.05};
  return run;
}

inline Profile made_up_profile() {
  Profile profile;
  profile.step = Seconds{0.1};
  profile.lines = {{"convolution forward, winograd", 5, Seconds{0.05}, Flops(9'000'000'000), Bytes(30'000'000)},
                   {"update", 16, Seconds{0.03}, Flops(0), Bytes(600'000'000)}};
  return profile;
}

}  // namespace plimsoll
