#include "plan/devices/sweep_rates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, std::size(kSweeps)> kNames = {"element",   "normalise", "normalise_grad", "pool",
                                                                     "pool_grad", "product",   "update"};

}  // namespace

std::string_view name_of(Sweep sweep) { return kNames.at(size_t(sweep)); }

std::optional<Sweep> sweep_named(std::string_view name) {
  for (const Sweep sweep : kSweeps)
    if (name_of(sweep) == name) return sweep;
  return std::nullopt;
}

SweepRates::SweepRates(std::vector<SweepRate> rows) : rows_(std::move(rows)) { std::sort(rows_.begin(), rows_.end()); }

std::optional<BytesPerSecond> SweepRates::rate(Sweep sweep, double bytes) const {
  const SweepRate* below = nullptr;
  for (const auto& row : rows_) {
    if (row.sweep != sweep) continue;
    const auto here = double(row.bytes.value());
    if (here >= bytes) {
      if (!below) return row.rate;
      const auto there = double(below->bytes.value());
      const double part = std::log(bytes / there) / std::log(here / there);
      return BytesPerSecond{below->rate.per_second * std::pow(row.rate.per_second / below->rate.per_second, part)};
    }
    below = &row;
  }
  return below ? std::optional(below->rate) : std::nullopt;
}

}  // namespace plimsoll
