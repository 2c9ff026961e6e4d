// How fast a machine does what only passes over memory: element-wise loops, norms, pools, updates, and products with
// few rows. Measured once on the engine's own kernels by `plimsoll probe`, over the bytes they move, since what fits a
// cache is faster.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace plimsoll {

enum class MemoryBound : uint8_t { element, normalise, normalise_grad, pool, pool_grad, product, update };
inline constexpr MemoryBound kMemoryBounds[] = {
    MemoryBound::element,   MemoryBound::normalise, MemoryBound::normalise_grad, MemoryBound::pool,
    MemoryBound::pool_grad, MemoryBound::product,   MemoryBound::update};

std::string_view name_of(MemoryBound kind);
std::optional<MemoryBound> memory_bound_named(std::string_view name);

struct MemoryBoundRate {
  MemoryBound kind = MemoryBound::element;
  Bytes bytes;  // that one operation moves
  BytesPerSecond rate;

  auto operator<=>(const MemoryBoundRate&) const = default;
};

class MemoryBoundRates {
 public:
  MemoryBoundRates() = default;
  explicit MemoryBoundRates(std::vector<MemoryBoundRate> rows);  // every rate is above 0

  bool empty() const { return rows_.empty(); }
  std::span<const MemoryBoundRate> rows() const { return rows_; }  // sorted

  // Between the measured sizes a straight line of the logarithms, beyond them as at the last. nullopt: not measured.
  std::optional<BytesPerSecond> rate(MemoryBound kind, double bytes) const;

  bool operator==(const MemoryBoundRates&) const = default;

 private:
  std::vector<MemoryBoundRate> rows_;
};

}  // namespace plimsoll
