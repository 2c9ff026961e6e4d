#include "plan/devices/memory_bound_rates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, std::size(kMemoryBounds)> kNames = {
    "element", "normalise", "normalise_grad", "pool", "pool_grad", "product", "update"};

}  // namespace

std::string_view name_of(MemoryBound kind) { return kNames.at(size_t(kind)); }

std::optional<MemoryBound> memory_bound_named(std::string_view name) {
  for (const MemoryBound kind : kMemoryBounds)
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

MemoryBoundRates::MemoryBoundRates(std::vector<MemoryBoundRate> rows) : rows_(std::move(rows)) {
  std::sort(rows_.begin(), rows_.end());
}

std::optional<BytesPerSecond> MemoryBoundRates::rate(MemoryBound kind, double bytes) const {
  const MemoryBoundRate* below = nullptr;
  for (const auto& row : rows_) {
    if (row.kind != kind) continue;
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
