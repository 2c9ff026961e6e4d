#include "run/data/loader_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kNear = 0.9;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Batches until the time is up, over as many epochs as that takes; the first batch is not counted.
Result<SamplesPerSecond> measure(const DatasetPtr& dataset, const LoaderBenchmarkOptions& options, int workers) {
  LoaderOptions how{.batch = std::min(options.batch, dataset->size()), .workers = workers, .seed = 1, .shuffle = true};
  how.bad = {.skip = true, .most = dataset->size()};
  how.depth = std::clamp(workers, 2, kMostDepth);  // enough places for all to work in
  PLIM_ASSIGN(const auto loader, Loader::make(dataset, how));
  PLIM_TRY(loader->start(0));
  PLIM_TRY(loader->next());
  const auto start = Clock::now();
  int64_t samples = 0;
  for (int64_t epoch = 1; seconds_since(start) < options.each.value || samples == 0;) {
    PLIM_ASSIGN(const auto batch, loader->next());
    if (batch) samples += batch->samples;
    else PLIM_TRY(loader->start(epoch++));
  }
  return SamplesPerSecond{double(samples) / seconds_since(start)};
}

Bytes sample_bytes(const Dataset& dataset) {
  Bytes all;
  if (dataset.info().files)
    for (const auto& file : *dataset.info().files) all += file.size;
  return Bytes(all.value() / std::max<int64_t>(1, dataset.size()));
}

Result<SamplesPerSecond> predict(const LoaderBenchmark& benchmark, SamplesPerSecond one, int workers) {
  LoadingSetup setup{.disk = disk_of_rate("the drive", benchmark.drive.value_or(BytesPerSecond{1})),
                     .decode_per_core = one,
                     .host_cores = benchmark.cores,
                     .loaders = workers};
  if (benchmark.drive) setup.sample = benchmark.sample;
  PLIM_ASSIGN(const LoadingRate rate, loading_rate(setup));
  return *rate.all;
}

std::string counted(int64_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace

void find_knee(LoaderBenchmark& benchmark) {
  const auto fastest = std::max_element(benchmark.runs.begin(), benchmark.runs.end(),
                                        [](const auto& a, const auto& b) { return a.measured < b.measured; });
  const auto knee = std::find_if(benchmark.runs.begin(), benchmark.runs.end(), [&](const auto& run) {
    return run.measured.per_second >= kNear * fastest->measured.per_second;
  });
  benchmark.knee = knee->workers;
  const std::string reached = fmt::format("{} load{} {}", counted(knee->workers, "worker"),
                                          knee->workers == 1 ? "s" : "", human_rate(knee->measured));
  const double bytes = knee->measured.per_second * double(benchmark.sample.value());
  const bool last = &*knee == &benchmark.runs.back();
  if (last && knee->workers < benchmark.cores) {
    benchmark.sentence = fmt::format("{}, the most that were tried: more may load faster.", reached);
  } else if (last && knee->workers > benchmark.cores) {
    benchmark.sentence = fmt::format(
        "{}, more than with one for each of the {}: other programs take part of them. Measure again when the "
        "machine is idle.",
        reached, counted(benchmark.cores, "core"));
  } else if (benchmark.drive && bytes >= kNear * benchmark.drive->per_second) {
    benchmark.sentence = fmt::format("{}, and that is what the drive gives ({}): more workers add nothing.", reached,
                                     human_rate(*benchmark.drive));
  } else if (knee->workers >= benchmark.cores) {
    benchmark.sentence = fmt::format("{}, and every one of the {} has one: more workers add nothing.", reached,
                                     counted(benchmark.cores, "core"));
  } else {
    benchmark.sentence = fmt::format(
        "{}, with {} there: samples are so cheap to read that handing over batches sets the pace, and more workers add "
        "nothing.",
        reached, counted(benchmark.cores, "core"));
  }
  if (!benchmark.drive || benchmark.sample.value() == 0) return;
  const SamplesPerSecond from_drive{benchmark.drive->per_second / double(benchmark.sample.value())};
  benchmark.sentence +=
      from_drive < knee->measured
          ? fmt::format(" The files were in memory here: read from the drive ({}) it would be at most {}.",
                        human_rate(*benchmark.drive), human_rate(from_drive))
          : fmt::format(" The drive is not what holds it up: it gives up to {}.", human_rate(from_drive));
}

Result<LoaderBenchmark> benchmark_loader(const DatasetPtr& dataset, const LoaderBenchmarkOptions& options) {
  PLIM_CHECK(!options.workers.empty(), "a benchmark of no workers");
  LoaderBenchmark benchmark{.cores = options.cores, .sample = sample_bytes(*dataset), .drive = options.drive};
  std::optional<SamplesPerSecond> one;
  for (const int workers : options.workers) {
    LoaderRun run{.workers = workers};
    PLIM_ASSIGN(run.measured, measure(dataset, options, workers));
    if (workers == 1) one = run.measured;
    benchmark.runs.push_back(run);
  }
  if (one)
    for (auto& run : benchmark.runs)
      if (run.workers > 1) {
        PLIM_ASSIGN(run.predicted, predict(benchmark, *one, run.workers));
      }
  find_knee(benchmark);
  return benchmark;
}

}  // namespace plimsoll
