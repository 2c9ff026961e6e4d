#include "tell/cli/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"

namespace plimsoll {

Result<int64_t> parse_integer(const std::string& flag, const std::string& text, int64_t smallest, int64_t largest) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < smallest || number > largest)
    return user_error(fmt::format("{} is {}, expected a whole number from {} to {}", flag, plimsoll::quoted(text),
                                  with_commas(smallest), with_commas(largest)));
  return number;
}

Result<Seconds> parse_time(const std::string& flag, const std::string& text) {
  struct Unit {
    const char* name;
    double seconds;
  };
  constexpr Unit kUnits[] = {{"ms", 1e-3}, {"min", 60}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string rest(end, text.data() + text.size());
  if (error == std::errc() && std::isfinite(number) && number >= 0)
    for (const auto& unit : kUnits)
      if (rest == unit.name) return Seconds{number * unit.seconds};
  return user_error(
      fmt::format("{} is {}, expected a number and one of ms, s, min, h, d", flag, plimsoll::quoted(text)),
      "for example 2.5h");
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

}  // namespace plimsoll
