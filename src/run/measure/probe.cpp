#include "run/measure/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/today.h"
#include "run/measure/conv_speed.h"
#include "run/measure/fresh_memory.h"
#include "run/measure/memory_bound_speed.h"
#include "run/measure/probe_kernels.h"
#include "run/measure/utilisation.h"

namespace plimsoll {
namespace {

constexpr DType kFormats[] = {DType::f64, DType::f32, DType::bf16, DType::f16, DType::i8};
constexpr double kBusyShare = 0.1;  // of all processors' time, from which on the figures are doubtful

struct Plan {
  Effort peaks, levels, decoding;
  DiskEffort disk;
  ConvEffort convolutions;
  MemoryBoundEffort memory_bound;
};

Plan plan_of(bool quick) {
  if (quick)
    return {{3, {0.01}},
            {3, {0.01}},
            {3, {0.05}},
            {Bytes(64 << 20), {0.5}},
            {.each = {1, {0.002}}, .rounds = 1, .most_rounds = 1, .every = 2},
            {.sizes = {MemoryBoundSize{4}}, .rounds = 1, .runs = 2}};
  return {{7, {0.02}}, {7, {0.02}}, {5, {0.1}}, {Bytes(256 << 20), {2}}, {}, {}};
}

// What others did while we measured, not before: right after a build the load of the last minute is high, and nothing
// is wrong with the figures.
void note_others(const ProcessorsTime& start, Probe& probe) {
  if (const double share = share_of_others(start, processors_time()); share > kBusyShare)
    probe.notes.push_back(fmt::format(
        "the machine was busy (other programs used {:.0f} % of its processors' time), so the figures are low: probe "
        "again when it is idle",
        100 * share));
}

Status measure_peaks(const Effort& effort, Probe& probe) {
  for (const DType type : kFormats) {
    const FlopsKernel* kernel = best_flops_kernel(type);
    if (!kernel) continue;
    const auto rate = [&](int threads) {
      return median_rate(threads, effort, [&](int, int64_t rounds) {
        [[maybe_unused]] volatile double sum = kernel->run(rounds);  // read by nobody, so it must not be left out
      });
    };
    PLIM_ASSIGN(const double one, rate(1));
    double all = one;
    if (probe.team > 1) {
      PLIM_ASSIGN(all, rate(probe.team));
    }
    // A burst can be faster than what a quota of CPU time allows for long.
    if (probe.machine.quota) all = std::min(all, one * *probe.machine.quota);
    const auto flops = double(kernel->per_round().value());
    probe.peaks.push_back({type, kernel->instruction_set, {one * flops}, {all * flops}});
  }
  return {};
}

Status measure_levels(const Effort& effort, Probe& probe) {
  const Bytes memory = *probe.machine.memory();
  const auto levels = memory_levels(probe.caches, memory, 1), shared = memory_levels(probe.caches, memory, probe.team);
  for (const auto& alone : levels) {
    const auto together =
        std::find_if(shared.begin(), shared.end(), [&](const Level& l) { return l.name == alone.name; });
    if (together == shared.end()) continue;
    PLIM_ASSIGN(const Bandwidth one, measure_bandwidth(alone, 1, effort));
    Bandwidth all = one;
    if (probe.team > 1) {
      PLIM_ASSIGN(all, measure_bandwidth(*together, probe.team, effort));
    }
    probe.levels.push_back({alone.name, alone.each, together->each, one, all});
  }
  return {};
}

}  // namespace

Result<Probe> probe_this_machine(const ProbeOptions& options) {
  const auto say = [&](std::string_view what) {
    if (options.progress) options.progress(what);
  };
  const auto start = std::chrono::steady_clock::now();
  const ProcessorsTime processors = processors_time();
  const Plan plan = plan_of(options.quick);
  Probe probe;
  probe.date = today();
  probe.quick = options.quick;
  probe.machine = read_this_machine();
  if (!probe.machine.memory()) return environment_error("/proc/meminfo does not say how much memory this machine has");
  PLIM_ASSIGN(probe.caches, read_caches());
  probe.team = int(std::min(probe.machine.cores(), probe.caches.cores).value());
  say("the disk");  // first: an unwritable place is found before the time is spent
  PLIM_ASSIGN(probe.disk, measure_disk(options.folder, plan.disk));
  if (!probe.disk.note.empty()) probe.notes.push_back(probe.disk.note);
  say("operations per second");
  PLIM_TRY(measure_peaks(plan.peaks, probe));
  say("memory bandwidth");
  PLIM_TRY(measure_levels(plan.levels, probe));
  PLIM_ASSIGN(probe.fresh_memory, measure_fresh_memory(probe.team, plan.levels));
  // Before and after the convolutions: a busy host is often busy for some seconds.
  say("norms, sums and updates");
  PLIM_ASSIGN(probe.memory_bound_rates, measure_memory_bound_speed(probe.team, plan.memory_bound));
  say("convolutions");
  PLIM_ASSIGN(probe.conv_rates, measure_conv_speed(probe.team, plan.convolutions));
  say("norms, sums and updates, again");
  PLIM_ASSIGN(probe.memory_bound_rates,
              measure_memory_bound_speed(probe.team, plan.memory_bound, probe.memory_bound_rates));
  say("decoding of pictures");
  PLIM_ASSIGN(probe.decoding, measure_decoding(probe.team, plan.decoding));
  note_others(processors, probe);
  probe.took = {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  return probe;
}

}  // namespace plimsoll
