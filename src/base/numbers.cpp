#include "base/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace plimsoll {
namespace {

struct SizeUnit {
  std::string_view name;
  double bytes;
};

constexpr SizeUnit kSizeUnits[] = {
    {"B", 1},        {"KB", 1e3},     {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},
    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
};
constexpr double kLargestSize = 1e18;
constexpr const char* kUnitNames = "B, KB, MB, GB, TB, KiB, MiB, GiB, TiB";

struct Measured {
  double number = 0;
  std::string unit;  // what stands after the number, one space left out
};

std::optional<Measured> measured(const std::string& text) {
  Measured read;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, read.number);
  if (error != std::errc() || !std::isfinite(read.number)) return std::nullopt;
  read.unit.assign(end != last && *end == ' ' ? end + 1 : end, last);
  return read;
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char one, unsigned char other) { return std::tolower(one) == std::tolower(other); });
}

// "GiB" and "gib"; a letter alone is a power of 1024, as in the limits of processes and containers.
const SizeUnit* size_unit(std::string_view name) {
  const std::string whole =
      name.size() == 1 && name != "B" && name != "b" ? std::string(name) + "iB" : std::string(name);
  for (const auto& unit : kSizeUnits)
    if (same_but_for_case(unit.name, whole)) return &unit;
  return nullptr;
}

std::string bytes_of(double number, std::string_view unit) {
  const double bytes = number * size_unit(unit)->bytes;
  return bytes <= kLargestSize ? fmt::format("{}{} is {} bytes", number, unit, with_commas(std::llround(bytes))) : "";
}

// Both readings of "8": which one is meant only the user knows.
std::string both_readings(const Measured& read) {
  const char letter = read.unit.empty() ? 'G' : char(std::toupper(static_cast<unsigned char>(read.unit[0])));
  if (!(read.number > 0) || std::string_view("KMGT").find(letter) == std::string_view::npos) return "for example 8GiB";
  const std::string decimal = bytes_of(read.number, std::string(1, letter) + "B");
  const std::string binary = bytes_of(read.number, std::string(1, letter) + "iB");
  return binary.empty() ? "for example 8GiB" : decimal + ", " + binary;
}

}  // namespace

Result<int64_t> parse_integer(const std::string& flag, const std::string& text, int64_t smallest, int64_t largest) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < smallest || number > largest)
    return user_error(fmt::format("{} is {}, expected a whole number from {} to {}", flag, plimsoll::in_quotes(text),
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
      fmt::format("{} is {}, expected a number and one of ms, s, min, h, d", flag, plimsoll::in_quotes(text)),
      "for example 2.5h");
}

Result<double> parse_number(const std::string& flag, const std::string& text, double smallest, Edge edge,
                            double largest) {
  const auto read = measured(text);
  if (read && read->unit.empty() && text.back() != ' ' && read->number <= largest &&
      (read->number > smallest || (edge == Edge::included && read->number == smallest)))
    return read->number;
  return user_error(fmt::format("{} is {}, expected a number {} {}, at most {}", flag, plimsoll::in_quotes(text),
                                edge == Edge::above ? "above" : "from", smallest, largest));
}

Result<Bytes> parse_bytes(const std::string& flag, const std::string& text) {
  const std::string found = fmt::format("{} is {}", flag, plimsoll::in_quotes(text));
  const auto read = measured(text);
  if (!read)
    return user_error(fmt::format("{}, expected a number and one of {}", found, kUnitNames), "for example 8GiB");
  if (read->unit.empty()) return user_error(found + " without a unit", both_readings(*read));
  const SizeUnit* unit = size_unit(read->unit);
  if (!unit) return user_error(fmt::format("{}, expected one of {}", found, kUnitNames), both_readings(*read));
  const double bytes = read->number * unit->bytes;
  if (!(bytes >= 0.5)) return user_error(found + ", expected at least 1 byte");
  if (bytes > kLargestSize)
    return user_error(fmt::format("{}, expected at most {} bytes", found, with_commas(int64_t(kLargestSize))));
  return Bytes(std::llround(bytes));
}

Result<BytesPerSecond> parse_rate(const std::string& flag, const std::string& text) {
  const auto read = measured(text);
  if (read && read->unit.ends_with("/s") && read->number > 0)
    if (const SizeUnit* unit = size_unit(read->unit.substr(0, read->unit.size() - 2)))
      if (const double rate = read->number * unit->bytes; rate >= 1 && rate <= kLargestSize)
        return BytesPerSecond{rate};
  return user_error(fmt::format("{} is {}, expected a rate above 0 with one of {} and /s", flag,
                                plimsoll::in_quotes(text), kUnitNames),
                    "for example 550MB/s");
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
