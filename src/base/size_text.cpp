#include "base/size_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace plimsoll {
namespace {

// At most three significant digits, at least all before the point; no zeros at the end of a fraction.
std::string short_number(double value) {
  const double size = std::abs(value);
  std::string text = fmt::format("{:.{}f}", value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string scaled(double value, double step, const std::array<const char*, 7>& units) {
  size_t unit = 0;
  // Half a unit of the last digit below the step is already "1" of the next.
  while (std::abs(value) >= step * 0.9995 && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  return short_number(value) + units[unit];
}

}  // namespace

std::string decimal_bytes(Bytes bytes) {
  return scaled(double(bytes.value()), 1000, {" B", " KB", " MB", " GB", " TB", " PB", " EB"});
}

std::string in_both_units(Bytes bytes) {
  if (std::abs(bytes.value()) < 1000) return decimal_bytes(bytes);
  const double value = double(bytes.value());
  return decimal_bytes(bytes) + " = " + scaled(value, 1024, {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"});
}

std::string percent(double share) { return short_number(share * 100) + " %"; }

}  // namespace plimsoll
