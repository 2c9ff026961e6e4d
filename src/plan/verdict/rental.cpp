#include "plan/verdict/rental.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

// Devices that train or serve together have to be connected: a node has so many.
constexpr int64_t kDevicesOfNode = 8;

std::optional<Rental> rental_as(const Device& instance, const std::string& device, int64_t together) {
  if (instance.kind != DeviceKind::instance || !instance.price_per_hour) return std::nullopt;
  const auto part = compute_part(instance);
  const auto price = hourly_price(instance);
  if (!part.ok() || part->device.name != device || part->count < together || !price) return std::nullopt;
  Rental rental{*price, part->count};
  const std::string date = price->basis.substr(std::string("rented, ").size());
  rental.price.basis = fmt::format("rented as {}, {}", instance.name, date);
  return rental;
}

}  // namespace

std::optional<Rental> rental_of(const Device& whole, int64_t parts, int64_t wanted) {
  if (auto own = hourly_price(whole)) return Rental{*own, std::max<int64_t>(1, parts)};
  const auto part = compute_part(whole);
  if (!part.ok() || part->device.kind != DeviceKind::gpu) return std::nullopt;
  static const auto catalog = all_devices();  // a ranking asks for each of its devices
  if (!catalog.ok()) return std::nullopt;
  std::optional<Rental> best;
  for (const Device& instance : *catalog) {
    const auto rental = rental_as(instance, part->device.name, std::min(wanted, kDevicesOfNode));
    if (rental && (!best || rental->all(wanted) < best->all(wanted))) best = rental;
  }
  return best;
}

std::string rental_text(const Rental& rental, int64_t wanted, Seconds time) {
  const int64_t times = rental.times(wanted);
  return fmt::format("{} ({}{})", human_dollars(cost_of(time, rental.all(wanted))),
                     times > 1 ? fmt::format("{} of them, ", with_commas(times)) : "", rental.price.basis);
}

}  // namespace plimsoll
