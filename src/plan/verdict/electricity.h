// What a bought device's electricity costs for a job, beside its price. A rented one's is in its rent.
#pragma once

#include "plan/verdict/place.h"

namespace plimsoll {

struct DollarsPerKilowattHour {
  double value = 0;
};
inline constexpr DollarsPerKilowattHour kUsualElectricity{0.15};

// At the device's power limit, the host left out; nullopt where it is rented, has no price or its power is not known.
std::optional<Dollars> electricity_of(const JobPlacement& placement, DollarsPerKilowattHour price);

// With electricity, where that is paid for by itself; nullopt without a price.
std::optional<Dollars> whole_cost(const JobPlacement& placement, DollarsPerKilowattHour price);

}  // namespace plimsoll
