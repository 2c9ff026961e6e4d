#include "run/bench/bench_view.h"

namespace plimsoll {

Seconds epoch_time(const BenchRun& run, const BenchView& view) {
  return Seconds{double(view.samples) / run.images_per_second()};
}

std::optional<double> peak_share(const BenchRun& run, const BenchView& view) {
  if (!view.peak) return std::nullopt;
  return run.rate().per_second / view.peak->per_second;
}

}  // namespace plimsoll
