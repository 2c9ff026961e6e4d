#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace plimsoll {
namespace {

// Four significant digits and the largest unit that keeps the number at 1 or above.
template <size_t N>
std::string scaled(double value, double step, const std::array<const char*, N>& units) {
  size_t unit = 0;
  while (std::abs(value) >= step && unit + 1 < N) {
    value /= step;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f}{}", value, units[0]);
  const int decimals = value >= 999.5 ? 0 : value >= 99.95 ? 1 : value >= 9.995 ? 2 : 3;
  return fmt::format("{:.{}f}{}", value, decimals, units[unit]);
}

}  // namespace

std::string with_commas(int64_t value) {
  std::string digits = std::to_string(value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string human_count(int64_t value) { return scaled<6>(double(value), 1000, {"", " K", " M", " G", " T", " P"}); }

std::string human_time(Seconds time) {
  const double s = time.value;
  if (s < 1e-3) return fmt::format("{:.3g} µs", s * 1e6);
  if (s < 1) return fmt::format("{:.3g} ms", s * 1e3);
  if (s < 60) return fmt::format("{:.3g} s", s);
  const auto whole = int64_t(std::min(s + 0.5, 1e18));
  if (s < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (s < 86400) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} d {} h", whole / 86400, whole % 86400 / 3600);
}

std::string human_bytes(Bytes bytes) {
  return scaled<6>(double(bytes.value()), 1024, {" B", " KiB", " MiB", " GiB", " TiB", " PiB"});
}

std::string human_rate(FlopsPerSecond rate) {
  return scaled<6>(rate.per_second, 1000, {" FLOP/s", " KFLOP/s", " MFLOP/s", " GFLOP/s", " TFLOP/s", " PFLOP/s"});
}

std::string human_rate(BytesPerSecond rate) {
  return scaled<5>(rate.per_second, 1000, {" B/s", " KB/s", " MB/s", " GB/s", " TB/s"});
}

}  // namespace plimsoll
