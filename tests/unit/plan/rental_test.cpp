#include "plan/verdict/rental.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

Device named(const char* name) { return load_device(name).value(); }

TEST(Rental, ACardWithAPriceCostsThat) {
  const Device card = named("nvidia-rtx-4090");
  const auto rental = rental_of(card, 1, 3);
  ASSERT_TRUE(rental.has_value());
  EXPECT_EQ(rental->times(3), 3);
  EXPECT_DOUBLE_EQ(rental->all(3).value, 3 * hourly_price(card)->price.value);
}

TEST(Rental, ACardWithoutOneIsRentedInTheCheapestInstances) {
  const Device card = named("nvidia-a100-80gb");
  ASSERT_FALSE(hourly_price(card).has_value());
  for (const int64_t wanted : {1, 8, 9}) {
    const auto rental = rental_of(card, 1, wanted);
    ASSERT_TRUE(rental.has_value());
    EXPECT_EQ(rental->price.basis.find("rented as "), 0U) << rental->price.basis;
    EXPECT_GE(rental->devices, std::min<int64_t>(wanted, 8));
    const auto all_devices_of_catalog = all_devices();
    ASSERT_TRUE(all_devices_of_catalog.ok());
    for (const Device& other : *all_devices_of_catalog) {
      if (other.kind != DeviceKind::instance || !other.price_per_hour) continue;
      const auto part = compute_part(other);
      if (!part.ok() || part->device.name != card.name || part->count < std::min<int64_t>(wanted, 8)) continue;
      const auto times = double((wanted + part->count - 1) / part->count);
      EXPECT_LE(rental->all(wanted).value, times * other.price_per_hour->value + 1e-9) << other.name;
    }
  }
}

TEST(Rental, WhatNobodyRentsOutHasNone) {
  Device unknown = named("nvidia-a100-80gb");
  unknown.name = "a card of my own";
  EXPECT_FALSE(rental_of(unknown, 1, 1).has_value());
}

TEST(Rental, SaysHowManyAndFromWhere) {
  const Rental rental{{{10}, true, "rented as a-node, 2026-01"}, 8};
  EXPECT_EQ(rental_text(rental, 8, Seconds{3600}), "10.00 USD (rented as a-node, 2026-01)");
  EXPECT_EQ(rental_text(rental, 9, Seconds{3600}), "20.00 USD (2 of them, rented as a-node, 2026-01)");
}

}  // namespace
}  // namespace plimsoll
