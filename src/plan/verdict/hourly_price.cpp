#include "plan/verdict/hourly_price.h"

#include <fmt/format.h>

#include <cmath>

namespace plimsoll {
namespace {

std::string date_of(const Device& device, std::string_view field) {
  const Figure* figure = device.figure(field);
  return figure && !figure->date.empty() ? figure->date : "no date";
}

}  // namespace

std::optional<HourlyPrice> hourly_price(const Device& device) {
  if (device.price_per_hour)
    return HourlyPrice{*device.price_per_hour, true, "rented, " + date_of(device, "price_per_hour")};
  if (!device.price) return std::nullopt;
  return HourlyPrice{{device.price->value / (kYearsOfUse * kHoursOfAYear)},
                     false,
                     fmt::format("bought for {} ({}), {} years of use", human_dollars(*device.price),
                                 date_of(device, "price"), kYearsOfUse)};
}

Dollars cost_of(Seconds time, DollarsPerHour price) { return {time.value / 3600 * price.value}; }

std::string human_dollars(Dollars dollars) {
  if (dollars.value >= 1000) return with_commas(std::llround(dollars.value)) + " USD";
  if (dollars.value >= 0.1 || dollars.value == 0) return fmt::format("{:.2f} USD", dollars.value);
  return fmt::format("{:.2g} USD", dollars.value);
}

}  // namespace plimsoll
