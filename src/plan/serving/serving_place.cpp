#include "plan/serving/serving_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "plan/serving/serving_alternatives.h"
#include "plan/verdict/rental.h"

namespace plimsoll {
namespace {

constexpr double kMillion = 1e6;

void add_money(ServingPlacement& placement, int64_t prompt, std::optional<DollarsPerHour> given) {
  if (given) {
    placement.price = HourlyPrice{*given, true, "given"};
  } else if (auto rental = rental_of(placement.device.whole, placement.device.count, placement.setup.devices)) {
    // A card that is sold alone is needed as often as it takes part.
    placement.price = std::move(rental->price);
    placement.price->price.value *= double(rental->times(placement.setup.devices));
  }
  if (!placement.price) return;
  const double second = placement.price->price.value / 3600;
  placement.per_million_in = Dollars{second * placement.time.prompt.value / double(prompt) * kMillion};
  placement.per_million_out =
      Dollars{second * placement.time.per_token.value / double(placement.setup.concurrency) * kMillion};
}

double worth(const ServingPlacement& placement, ServingOrder by) {
  if (by == ServingOrder::speed) return -placement.time.all;
  return placement.per_million_out ? placement.per_million_out->value : std::numeric_limits<double>::infinity();
}

std::string speed_of(const ServingPlacement& placement) {
  return fmt::format("{:.{}f} tokens/s", placement.time.all, placement.time.all < 10 ? 1 : 0);
}

std::string bound_reason(const ServingPlacement& best) {
  const StepParts& step = best.time.step;
  const double reading = step.weights.value + step.cache.value;
  const double rate = product_rate(best.setup.device.value(), false);
  const double computing = rate > 0 ? step.flops / rate : 0;
  std::string text = fmt::format(
      "{}: a step for {} reads {} in {}, of {} in all", best.device.whole.name,
      best.setup.concurrency == 1 ? std::string("one sequence") : with_commas(best.setup.concurrency) + " sequences",
      human_bytes(Bytes(int64_t(step.bytes))), human_time({reading}), human_time(step.total));
  if (step.bound == ServingBound::bandwidth && computing > 0)
    return text + fmt::format("; its arithmetic alone would take {}: bound by bandwidth, {:.0f} times over.",
                              human_time({computing}), reading / computing);
  return text + fmt::format("; bound by {}.", name_of(step.bound));
}

const ServingPlacement* first_of(const std::vector<ServingPlacement>& ranked, bool gpu) {
  for (const auto& placement : ranked)
    if (placement.fit.fits && placement.device.is_gpu() == gpu) return &placement;
  return nullptr;
}

const ServingPlacement* cheapest_of(const std::vector<ServingPlacement>& ranked) {
  const ServingPlacement* best = nullptr;
  for (const auto& placement : ranked)
    if (placement.fit.fits && placement.per_million_out &&
        (!best || *placement.per_million_out < *best->per_million_out))
      best = &placement;
  return best;
}

// Where few devices were asked about, what would make room on those that have none.
constexpr size_t kFew = 8;

void add_ways_in(const std::vector<ServingPlacement>& ranked, std::vector<std::string>& reasons) {
  if (ranked.size() > kFew) return;
  for (const auto& placement : ranked) {
    if (placement.fit.fits) continue;
    const auto ways = serving_alternatives(placement.setup, placement.fit.line);
    if (ways.empty()) continue;
    reasons.push_back(fmt::format(
        "{} has room with {}{}.", placement.device.whole.name, ways[0].change,
        ways[0].per_token ? fmt::format(": {:.1f} tokens/s each", 1 / ways[0].per_token->value) : std::string()));
  }
}

std::string compare(const ServingPlacement& gpu, const ServingPlacement& cpu) {
  const double faster = gpu.time.all / cpu.time.all;
  std::string text = fmt::format(
      "GPU {} writes {}, CPU {} {}: {:.1f} times as many; its memory is {:.1f} times as fast", gpu.device.whole.name,
      speed_of(gpu), cpu.device.whole.name, speed_of(cpu), faster,
      gpu.setup.device->memory_bandwidth->per_second * double(gpu.setup.by_tensor() ? gpu.setup.devices : 1) /
          cpu.setup.device->memory_bandwidth->per_second);
  if (!gpu.price || !cpu.price || cpu.price->price.value <= 0) return text + ".";
  const double dearer = gpu.price->price.value / cpu.price->price.value;
  return text + fmt::format(". An hour costs {:.1f} times as much: {} is cheaper for a token.", dearer,
                            faster > dearer ? "the GPU" : "the CPU");
}

}  // namespace

Result<ServingPlacement> serving_placement(const Candidate& candidate, const ServingSetup& setup, int64_t prompt,
                                           int64_t output, double load_line, std::optional<DollarsPerHour> price) {
  ServingPlacement placement;
  placement.device = candidate;
  placement.setup = setup;
  placement.memory_known = candidate.part.memory.has_value();
  if (placement.memory_known) placement.fit = serving_fit({setup, *candidate.part.memory, load_line, false});
  else placement.fit.memory = serving_memory(setup);
  if (!placement.memory_known) placement.fit.fits = true;
  PLIM_ASSIGN(placement.time, serving_time(setup, prompt, output));
  add_money(placement, prompt, price);
  return placement;
}

void rank(std::vector<ServingPlacement>& placements, ServingOrder by) {
  std::stable_sort(placements.begin(), placements.end(), [by](const auto& a, const auto& b) {
    if (a.fit.fits != b.fit.fits) return a.fit.fits;
    return worth(a, by) < worth(b, by);
  });
}

ServingVerdict serving_verdict(const std::vector<ServingPlacement>& ranked) {
  ServingVerdict verdict;
  if (ranked.empty() || !ranked.front().fit.fits) {
    if (!ranked.empty()) {
      const auto least = std::min_element(
          ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.fit.shortfall < b.fit.shortfall; });
      verdict.reasons.push_back(
          fmt::format("No device has room; {} comes nearest: {} missing. What crosses its line: {}.",
                      least->device.whole.name, human_bytes(least->fit.shortfall), least->fit.breaks));
    }
    add_ways_in(ranked, verdict.reasons);
    return verdict;
  }
  const ServingPlacement& best = ranked.front();
  verdict.choice = best.device.whole.name;
  verdict.kind = best.device.is_gpu() ? "gpu" : "cpu";
  verdict.reasons.push_back(bound_reason(best));
  const ServingPlacement *gpu = first_of(ranked, true), *cpu = first_of(ranked, false);
  if (gpu && cpu) verdict.reasons.push_back(compare(*gpu, *cpu));
  if (const ServingPlacement* cheapest = cheapest_of(ranked); cheapest && cheapest != &best)
    verdict.reasons.push_back(fmt::format("Cheapest: {}, {} a million tokens written, {}.", cheapest->device.whole.name,
                                          human_dollars(*cheapest->per_million_out), speed_of(*cheapest)));
  add_ways_in(ranked, verdict.reasons);
  return verdict;
}

}  // namespace plimsoll
