#include "tell/report/profile_report.h"

#include <fmt/format.h>

#include "tell/report/table.h"

namespace plimsoll {
namespace {

constexpr const char* kOutside = "between operations";

std::string share_text(Seconds time, Seconds whole) { return fmt::format("{:.1f} %", time.value / whole.value * 100); }

// "-" where a rate says nothing: no such work, or no time.
template <class Unit>
std::string rate_text(int64_t count, Seconds time) {
  return count > 0 && time.value > 0 ? human_rate(Rate<Unit>{double(count) / time.value}) : "-";
}

std::string predicted_text(const std::optional<Seconds>& time) { return time ? human_time(*time) : "-"; }

}  // namespace

std::string profile_text(const Profile& profile) {
  Table table(
      {{"Kind", Table::Align::left}, {"Operations"}, {"Time"}, {"Predicted"}, {"Share"}, {"Arithmetic"}, {"Memory"}});
  Seconds predicted;
  for (const auto& line : profile.lines) {
    if (line.predicted) predicted.value += line.predicted->value;
    table.add({line.kind, std::to_string(line.operations), human_time(line.time), predicted_text(line.predicted),
               share_text(line.time, profile.step), rate_text<FlopsUnit>(line.flops.value(), line.time),
               rate_text<BytesUnit>(line.moved.value(), line.time)});
  }
  table.add({kOutside, "-", human_time(profile.outside()), "-", share_text(profile.outside(), profile.step), "-", "-"});
  table.add_line();
  table.add({"timed step", "", human_time(profile.step), predicted.value > 0 ? human_time(predicted) : "-", "100.0 %",
             "", ""});
  return table.text();
}

}  // namespace plimsoll
