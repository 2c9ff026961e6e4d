// What so many of a device cost an hour: their own price, or where the catalog has none the rent of the cheapest
// instances that have them, eight or all of them in one.
#pragma once

#include "plan/verdict/hourly_price.h"

namespace plimsoll {

struct Rental {
  HourlyPrice price;    // of what is paid as one
  int64_t devices = 1;  // in it

  // Of all that has to be paid for so many devices.
  int64_t times(int64_t wanted) const { return (wanted + devices - 1) / devices; }
  DollarsPerHour all(int64_t wanted) const { return {price.price.value * double(times(wanted))}; }
};

// `whole`: with `parts` devices in it. nullopt: nobody in the catalog rents it out.
std::optional<Rental> rental_of(const Device& whole, int64_t parts, int64_t wanted);

// "0.72 USD (2 of them, rented as aws-p4de.24xlarge, 2026-11)", of so much time.
std::string rental_text(const Rental& rental, int64_t wanted, Seconds time);

}  // namespace plimsoll
