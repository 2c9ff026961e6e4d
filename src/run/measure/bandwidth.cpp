#include "run/measure/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "run/measure/probe_kernels.h"

namespace plimsoll {
namespace {

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kLargestTeamSet = 1024 * kMiB;
constexpr int64_t kBlockBytes = kStreamBlock * int64_t{sizeof(float)};

struct Freed {
  void operator()(float* numbers) const { std::free(numbers); }
};
using Numbers = std::unique_ptr<float[], Freed>;

// Volatile, so that no pass over memory is left out because nobody reads its sum.
void use(double sum) { [[maybe_unused]] volatile double sink = sum; }

// Each member touches its own first, which puts it on the member's side of a machine with several memories.
Result<std::vector<Numbers>> allocate(int threads, int64_t count) {
  std::vector<Numbers> sets(static_cast<size_t>(threads));
  for (auto& set : sets) {
    set.reset(
        static_cast<float*>(std::aligned_alloc(4096, size_t(count * int64_t{sizeof(float)} + 4095) / 4096 * 4096)));
    if (!set)
      return environment_error(fmt::format("{} to measure in could not be allocated",
                                           human_bytes(Bytes(count * int64_t{sizeof(float)} * threads))));
  }
  PLIM_TRY(run_together(threads, [&](int member) { std::fill_n(sets[size_t(member)].get(), count, 1.0F); }));
  return sets;
}

}  // namespace

std::vector<Level> memory_levels(const Caches& caches, Bytes memory, int threads) {
  const auto size = [](const std::optional<Bytes>& cache) { return cache ? cache->value() : 0; };
  const int64_t l1 = size(caches.l1), l2 = size(caches.l2), l3 = size(caches.l3);
  std::vector<Level> levels;
  if (l1 > 0) levels.push_back({"L1", Bytes(l1 / 2)});
  if (l2 > l1) levels.push_back({"L2", Bytes(std::max(l2 / 2, l1 * 2))});
  // A member's share of L3 must be larger than its L2 to be seen beyond it.
  if (l3 / threads > l2) levels.push_back({"L3", Bytes(std::max(l3 / threads / 2, l2 * 3 / 2))});
  const int64_t beyond = std::max({64 * kMiB, 4 * l3, 8 * l2 * threads});
  const int64_t set = std::min({beyond, kLargestTeamSet, memory.value() / 4});
  levels.push_back({"RAM", Bytes(std::max(set / threads, 16 * kBlockBytes))});
  return levels;
}

Result<Bandwidth> measure_bandwidth(const Level& level, int threads, const Effort& effort) {
  const StreamKernels& kernels = best_stream_kernels();
  const int64_t third = std::max<int64_t>(1, level.each.value() / 3 / kBlockBytes) * kStreamBlock, count = third * 3;
  PLIM_ASSIGN(const auto sets, allocate(threads, count));
  PLIM_ASSIGN(const double reads, median_rate(threads, effort, [&](int member, int64_t rounds) {
                use(kernels.read(sets[size_t(member)].get(), count, rounds));
              }));
  PLIM_ASSIGN(const double triads, median_rate(threads, effort, [&](int member, int64_t rounds) {
                float* to = sets[size_t(member)].get();
                for (int64_t round = 0; round < rounds; ++round)
                  kernels.triad(to, to + third, to + 2 * third, 3.0F, third);
                use(double(to[0]));
              }));
  const double bytes = double(count) * sizeof(float);
  return Bandwidth{{reads * bytes}, {triads * bytes}};
}

}  // namespace plimsoll
