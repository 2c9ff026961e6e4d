#include "plan/time/pipeline_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/size_text.h"

namespace plimsoll {
namespace {

struct Stage {
  BoundBy bound;
  double seconds;
};

Stage longest(std::initializer_list<Stage> stages) {  // the first one on a tie
  return *std::max_element(stages.begin(), stages.end(),
                           [](const Stage& a, const Stage& b) { return a.seconds < b.seconds; });
}

Seconds time_of(std::optional<SamplesPerSecond> rate, int64_t batch) {
  return {rate ? double(batch) / rate->per_second : 0};
}

std::string what_would_feed_it(const StageTimes& times, BoundBy bound, const LoadingSetup& setup, int64_t batch) {
  if (!(times.compute.value > 0) || times.decode_on_device.value > 0) return "";
  const double wanted = double(batch) / times.compute.value;
  if (bound == BoundBy::disk)
    return fmt::format(" A disk of {} would keep the device busy.",
                       human_rate(BytesPerSecond{wanted * double(setup.sample.value())}));
  if (bound != BoundBy::decode || !setup.decode_per_core) return "";
  const double cores = std::ceil(wanted / setup.decode_per_core->per_second);
  return fmt::format(" {:.0f} cores of this kind, with a loader each, would keep the device busy; the host has {}.",
                     cores, setup.host_cores);
}

}  // namespace

std::string_view name_of(BoundBy bound) {
  switch (bound) {
    case BoundBy::disk: return "disk";
    case BoundBy::decode: return "decode";
    case BoundBy::transfer: return "transfer";
    case BoundBy::arithmetic: return "compute-arithmetic";
    case BoundBy::bandwidth: return "bandwidth";
    case BoundBy::launch: return "launch";
  }
  return "";
}

bool is_loader(BoundBy bound) { return bound == BoundBy::disk || bound == BoundBy::decode; }

StageTimes loading_times(const LoadingSetup& setup, const LoadingRate& rate, int64_t batch, bool computes_on_host) {
  StageTimes times;
  times.disk = time_of(rate.storage(), batch);
  times.decode = time_of(rate.decode, batch);
  if (computes_on_host && setup.decode_per_core)
    times.decode_on_device = {double(batch) / (setup.decode_per_core->per_second * double(setup.host_cores))};
  return times;
}

Pace pace(const StageTimes& times, bool overlaps) {
  const double disk = times.disk.value, decode = times.decode.value, move = times.transfer.value;
  const double compute = times.compute.value, shared = times.decode_on_device.value;
  Pace pace;
  const Stage longest_alone = longest(
      {{times.compute_bound, compute}, {BoundBy::transfer, move}, {BoundBy::decode, decode}, {BoundBy::disk, disk}});
  if (!overlaps) {
    pace.step = {disk + decode + move + compute};
    pace.bound_by = longest_alone.bound;
  } else {
    // Cores that decode do not compute meanwhile: on a CPU these two add up.
    const Stage cores{shared > compute ? BoundBy::decode : times.compute_bound, compute + shared};
    const Stage binds = longest({cores, {BoundBy::transfer, move}, {BoundBy::decode, decode}, {BoundBy::disk, disk}});
    pace.step = {binds.seconds};
    pace.bound_by = binds.bound;
  }
  pace.busy = pace.step.value > 0 ? compute / pace.step.value : 1;
  return pace;
}

std::string pace_sentence(const StageTimes& times, const Pace& pace, const LoadingSetup& setup, int64_t batch) {
  const std::string samples = fmt::format("{} sample{}", with_commas(batch), batch == 1 ? "" : "s");
  const std::string compute = human_time(times.compute), waits = percent(1 - pace.busy);
  switch (pace.bound_by) {
    case BoundBy::disk:
    case BoundBy::decode: {
      const bool disk = pace.bound_by == BoundBy::disk;
      return fmt::format("Loader-bound: {} {} takes {}, computing them {}; the device waits {} of the time.{}",
                         disk ? "reading" : "decoding", samples, human_time(disk ? times.disk : times.decode), compute,
                         waits, what_would_feed_it(times, pace.bound_by, setup, batch));
    }
    case BoundBy::transfer:
      return fmt::format(
          "Transfer-bound: moving {} to the device takes {}, computing them {}; it waits {} of the time.", samples,
          human_time(times.transfer), compute, waits);
    case BoundBy::arithmetic: return fmt::format("Compute-bound: {} take {}, mostly arithmetic.", samples, compute);
    case BoundBy::bandwidth:
      return fmt::format("Compute-bound: {} take {}, mostly reading and writing memory.", samples, compute);
    case BoundBy::launch:
      return fmt::format("Compute-bound: {} take {}, mostly starting operations.", samples, compute);
  }
  return "";
}

}  // namespace plimsoll
