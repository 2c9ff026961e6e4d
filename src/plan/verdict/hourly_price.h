// What an hour on a device costs: its rent, or its price spread over the years it is used. Electricity, the host around
// a bought card and the work of keeping it are not in it.
#pragma once

#include <optional>
#include <string>

#include "plan/devices/device.h"

namespace plimsoll {

inline constexpr double kYearsOfUse = 3;
inline constexpr double kHoursOfAYear = 8760;

struct HourlyPrice {
  DollarsPerHour price;
  bool rented = true;
  std::string basis;  // "rented, 2024-12", "bought for 699 USD (2017-03), 3 years of use"
};

// nullopt when the catalog has no price.
std::optional<HourlyPrice> hourly_price(const Device& device);

Dollars cost_of(Seconds time, DollarsPerHour price);

std::string human_dollars(Dollars dollars);  // "0.42 USD", "1,204 USD"

}  // namespace plimsoll
