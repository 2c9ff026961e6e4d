#include "run/train/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/rows/named.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostEpochs = 1'000'000'000;

template <class Number>
bool read(std::string_view text, Number& number) {
  const auto end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
}

Error bad_schedule(const std::string& text) {
  return user_error(
      fmt::format("{} is {}, expected constant, step, cosine or poly", named("schedule"), plimsoll::in_quotes(text)),
      "for example cosine, step:30:0.1 (each 30 epochs a tenth) or poly:0.9");
}

}  // namespace

double Schedule::at(int64_t step) const {
  if (step < warmup) return base * (warm_from + (1 - warm_from) * double(step + 1) / double(warmup));
  const int64_t since = step - warmup;
  if (kind == ScheduleKind::step) return base * std::pow(factor, double(since / std::max<int64_t>(every, 1)));
  const double done = std::min(1.0, double(since) / double(std::max<int64_t>(steps - warmup, 1)));
  if (kind == ScheduleKind::cosine) return base * 0.5 * (1 + std::cos(std::numbers::pi * done));
  if (kind == ScheduleKind::poly) return base * std::pow(1 - done, power);
  return base;
}

Status parse_schedule(const std::string& text, int64_t epochs, int64_t steps_per_epoch, Schedule& schedule) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = text;;) {
    const size_t colon = rest.find(':');
    parts.push_back(rest.substr(0, colon));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  schedule.every = std::max<int64_t>((epochs * steps_per_epoch + 2) / 3, 1);
  if ((parts[0] == "constant" || parts[0] == "cosine") && parts.size() == 1) {
    schedule.kind = parts[0] == "constant" ? ScheduleKind::constant : ScheduleKind::cosine;
    return {};
  }
  if (parts[0] == "poly" && parts.size() <= 2) {
    schedule.kind = ScheduleKind::poly;
    const bool good =
        parts.size() == 1 || (read(parts[1], schedule.power) && schedule.power > 0 && schedule.power <= 100);
    return good ? Status() : bad_schedule(text);
  }
  if (parts[0] != "step" || parts.size() > 3) return bad_schedule(text);
  schedule.kind = ScheduleKind::step;
  if (parts.size() > 1) {
    int64_t every = 0;
    if (!read(parts[1], every) || every < 1 || every > kMostEpochs) return bad_schedule(text);
    schedule.every = every * steps_per_epoch;
  }
  if (parts.size() > 2 && (!read(parts[2], schedule.factor) || !(schedule.factor > 0 && schedule.factor <= 1)))
    return bad_schedule(text);
  return {};
}

Result<int64_t> parse_warmup(const std::string& text, int64_t steps_per_epoch) {
  std::string_view number = text;
  int64_t unit = 1;
  for (const std::string_view word : {"epochs", "epoch"})
    if (number.ends_with(word)) {
      number.remove_suffix(word.size());
      unit = steps_per_epoch;
      break;
    }
  int64_t count = 0;
  if (!read(number, count) || count < 0 || count > kMostEpochs)
    return user_error(fmt::format("{} is {}, expected steps or epochs", named("warmup"), plimsoll::in_quotes(text)),
                      "for example 500 or 5epochs");
  return count * unit;
}

}  // namespace plimsoll
