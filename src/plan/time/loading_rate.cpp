#include "plan/time/loading_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/size_text.h"

namespace plimsoll {
namespace {

bool is_rate(double per_second) { return std::isfinite(per_second) && per_second > 0; }

std::string counted(int64_t count, const char* thing) {
  return fmt::format("{} {}{}", with_commas(count), thing, count == 1 ? "" : "s");
}

Status check(const LoadingSetup& setup) {
  if (setup.sample.value() < 0 || setup.sample.overflowed())
    return user_error(fmt::format("a sample has {} bytes, expected 0 or more", setup.sample.value()));
  if (!is_rate(setup.disk.drive.per_second) || setup.disk.drives < 1)
    return user_error(fmt::format("the disk reads {} bytes/s, expected more than 0", setup.disk.drive.per_second));
  if (setup.disk.controller && !is_rate(setup.disk.controller->per_second))
    return user_error(
        fmt::format("the controller passes {} bytes/s, expected more than 0", setup.disk.controller->per_second));
  if (setup.decode_per_core && !is_rate(setup.decode_per_core->per_second))
    return user_error(
        fmt::format("a core decodes {} samples/s, expected more than 0", setup.decode_per_core->per_second));
  if (setup.host_cores < 1 || setup.host_cores > kMostLoaders)
    return user_error(
        fmt::format("the host has {} cores, expected 1 to {}", setup.host_cores, with_commas(kMostLoaders)));
  if (setup.loaders < 0 || setup.loaders > kMostLoaders)
    return user_error(fmt::format("there are {} loaders, expected 0 to {}", setup.loaders, with_commas(kMostLoaders)));
  return {};
}

void keep_least(LoadingRate& rate, const std::optional<SamplesPerSecond>& stage, LoadingBound bound) {
  if (!stage || (rate.all && *rate.all <= *stage)) return;
  rate.all = stage;
  rate.bound = bound;
}

int64_t useful_loaders(const LoadingSetup& setup, const LoadingRate& rate) {
  if (!setup.decode_per_core) return 1;
  const auto storage = rate.storage();
  const double fed = storage ? std::ceil(storage->per_second / setup.decode_per_core->per_second) : kMostLoaders;
  return std::clamp<int64_t>(int64_t(std::min<double>(fed, kMostLoaders)), 1, setup.host_cores);
}

}  // namespace

std::string_view name_of(LoadingBound bound) {
  switch (bound) {
    case LoadingBound::nothing: return "nothing";
    case LoadingBound::drives: return "drives";
    case LoadingBound::controller: return "controller";
    case LoadingBound::loaders: return "loaders";
    case LoadingBound::cores: return "cores";
  }
  return "";
}

std::optional<SamplesPerSecond> LoadingRate::storage() const {
  if (!drives || !controller) return drives ? drives : controller;
  return std::min(*drives, *controller);
}

Result<LoadingRate> loading_rate(const LoadingSetup& setup) {
  PLIM_TRY(check(setup));
  LoadingRate rate;
  rate.overlaps = setup.loaders > 0;
  const double bytes = double(setup.sample.value());
  const Disk& disk = setup.disk;
  if (bytes > 0) {
    rate.drives = SamplesPerSecond{double(disk.drives) / (disk.access.value + bytes / disk.drive.per_second)};
    if (disk.controller) rate.controller = SamplesPerSecond{disk.controller->per_second / bytes};
  }
  const int64_t working = std::min(std::max<int64_t>(1, setup.loaders), setup.host_cores);
  if (setup.decode_per_core) rate.decode = SamplesPerSecond{double(working) * setup.decode_per_core->per_second};
  keep_least(rate, rate.drives, LoadingBound::drives);
  keep_least(rate, rate.controller, LoadingBound::controller);
  keep_least(rate, rate.decode, working < setup.host_cores ? LoadingBound::loaders : LoadingBound::cores);
  rate.useful_loaders = useful_loaders(setup, rate);
  return rate;
}

std::string loading_sentence(const LoadingSetup& setup, const LoadingRate& rate) {
  if (rate.bound == LoadingBound::nothing) return "Nothing is read or decoded: samples are in memory already.";
  const std::string pace = human_rate(*rate.all), cores = counted(setup.host_cores, "host core");
  const std::string useful = counted(rate.useful_loaders, "loader");
  std::string text;
  switch (rate.bound) {
    case LoadingBound::drives:
      text = fmt::format(
          "The {} gives {}: {} each at {}{}.", setup.disk.title, pace, decimal_bytes(setup.sample),
          human_rate(BytesPerSecond{setup.disk.drive.per_second * double(setup.disk.drives)}),
          setup.disk.access.value > 0 ? fmt::format(", after {} to reach a file", human_time(setup.disk.access)) : "");
      break;
    case LoadingBound::controller:
      text = fmt::format("The controller passes {}: {} each at {}.", pace, decimal_bytes(setup.sample),
                         human_rate(*setup.disk.controller));
      break;
    default:
      text = setup.loaders == 0 ? fmt::format("The training process decodes {} by itself, on one core.", pace)
                                : fmt::format("{} on {} decode{} {}.", counted(setup.loaders, "loader"), cores,
                                              setup.loaders == 1 ? "s" : "", pace);
  }
  if (setup.loaders > rate.useful_loaders)
    return text + fmt::format(" {} would do as well: workers beyond {} add nothing.", useful,
                              rate.bound == LoadingBound::cores ? "the cores" : "that");
  if (rate.bound == LoadingBound::loaders && setup.loaders < rate.useful_loaders) {
    const double more = std::min(double(rate.useful_loaders) * setup.decode_per_core->per_second,
                                 rate.storage() ? rate.storage()->per_second : HUGE_VAL);
    return text + fmt::format(" {} would load {}; workers beyond that add nothing.", useful,
                              human_rate(SamplesPerSecond{more}));
  }
  if (rate.bound == LoadingBound::cores) return text + " More loaders add nothing: every core has one.";
  return text + " More loaders add nothing.";
}

std::string human_rate(SamplesPerSecond rate) {
  const double value = rate.per_second;
  if (value >= 999.5) return with_commas(int64_t(std::min(value + 0.5, 1e18))) + " samples/s";
  return fmt::format("{:.3g} samples/s", value);
}

}  // namespace plimsoll
