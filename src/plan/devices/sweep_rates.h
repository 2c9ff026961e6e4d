// How fast a machine does what only sweeps over memory: element-wise loops, norms, pools, updates, and products with
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

enum class Sweep : uint8_t { element, normalise, normalise_grad, pool, pool_grad, product, update };
inline constexpr Sweep kSweeps[] = {Sweep::element,   Sweep::normalise, Sweep::normalise_grad, Sweep::pool,
                                    Sweep::pool_grad, Sweep::product,   Sweep::update};

std::string_view name_of(Sweep sweep);
std::optional<Sweep> sweep_named(std::string_view name);

struct SweepRate {
  Sweep sweep = Sweep::element;
  Bytes bytes;  // that one operation moves
  BytesPerSecond rate;

  auto operator<=>(const SweepRate&) const = default;
};

class SweepRates {
 public:
  SweepRates() = default;
  explicit SweepRates(std::vector<SweepRate> rows);  // every rate is above 0

  bool empty() const { return rows_.empty(); }
  std::span<const SweepRate> rows() const { return rows_; }  // sorted

  // Between the measured sizes a straight line of the logarithms, beyond them as at the last. nullopt: not measured.
  std::optional<BytesPerSecond> rate(Sweep sweep, double bytes) const;

  bool operator==(const SweepRates&) const = default;

 private:
  std::vector<SweepRate> rows_;
};

}  // namespace plimsoll
