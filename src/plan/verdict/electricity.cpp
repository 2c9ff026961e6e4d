#include "plan/verdict/electricity.h"

namespace plimsoll {

std::optional<Dollars> electricity_of(const JobPlacement& placement, DollarsPerKilowattHour price) {
  const Device& whole = placement.device.whole;
  const Device& part = placement.device.part;
  if (!placement.price || placement.price->rented || (!whole.tdp && !part.tdp)) return std::nullopt;
  const double watts = whole.tdp ? whole.tdp->value : part.tdp->value * double(placement.device.count);
  return cost_of(placement.total, {watts / 1000 * price.value});
}

std::optional<Dollars> whole_cost(const JobPlacement& placement, DollarsPerKilowattHour price) {
  const auto electricity = electricity_of(placement, price);
  if (!placement.cost || !electricity) return placement.cost;
  return Dollars{placement.cost->value + electricity->value};
}

}  // namespace plimsoll
