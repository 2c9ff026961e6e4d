#include "plan/time/link_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/numbers.h"
#include "base/text.h"

namespace plimsoll {
namespace {

struct Unit {
  std::string_view name;
  double size;
};

// In bytes a second; parse_rate has the others.
constexpr Unit kBits[] = {{"kbit/s", 125}, {"Mbit/s", 125e3}, {"Gbit/s", 125e6}, {"Tbit/s", 125e9}};
constexpr Unit kTimes[] = {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}};
constexpr double kFastest = 1e15;  // bytes a second
constexpr double kLongest = 10;    // seconds

// A number and a unit of the table; nullopt when it is not that.
template <size_t count>
std::optional<double> measured(const std::string& text, const Unit (&units)[count]) {
  double number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  for (const auto& unit : units)
    if (std::string_view(end, size_t(last - end)) == unit.name) return number * unit.size;
  return std::nullopt;
}

Result<BytesPerSecond> rate_of(const std::string& flag, const std::string& text) {
  if (const auto bits = measured(text, kBits); bits && *bits >= 1 && *bits <= kFastest) return BytesPerSecond{*bits};
  if (!text.ends_with("bit/s"))
    if (auto rate = parse_rate(flag, text); rate.ok() && rate->per_second <= kFastest) return rate;
  return user_error(fmt::format("{} is {}, expected a name or a rate above 0 in Mbit/s, Gbit/s, MB/s or GB/s", flag,
                                plimsoll::in_quotes(text)),
                    "for example 10gbe, 25Gbit/s or 25Gbit/s:30us");
}

}  // namespace

Result<Link> parse_link(const std::string& flag, const std::string& text) {
  const size_t colon = text.find(':');
  const std::string first = text.substr(0, colon);
  // "10gbe" begins with a digit as rates do.
  if (auto known = find_link(first); known.ok() && colon == std::string::npos) return known;
  if (first.find('/') == std::string::npos) {  // no rate
    auto unknown = find_link(first);
    if (!unknown.ok()) return std::move(unknown).error().in(flag);
    return user_error(
        fmt::format("{} is {}, but a link that has a name has its latency", flag, plimsoll::in_quotes(text)),
        "for example 10gbe or 10Gbit/s:30us");
  }
  PLIM_ASSIGN(const BytesPerSecond rate, rate_of(flag, first));
  if (colon == std::string::npos) return link_of_rate(text, rate, kNetworkLatency);
  const auto latency = measured(text.substr(colon + 1), kTimes);
  if (!latency || *latency < 0 || *latency > kLongest)
    return user_error(
        fmt::format("{} is {}, expected a latency in ns, us, ms or s after the colon", flag, plimsoll::in_quotes(text)),
        "for example 25Gbit/s:30us");
  return link_of_rate(text, rate, {*latency});
}

std::string link_names() {
  std::string names;
  for (const auto& link : all_links()) names += (names.empty() ? "" : ", ") + link.name;
  return names;
}

}  // namespace plimsoll
