#include "tell/report/device_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

std::string money(double value) {
  if (value == std::floor(value) && value < 1e15) return "$" + with_commas(int64_t(value));
  return fmt::format("${:.{}f}", value, value < 10 ? 3 : 2);
}

std::string price_text(const Device& device) {
  if (device.price_per_hour)
    return fmt::format("{}/h ({})", money(device.price_per_hour->value), device.figure("price_per_hour")->date);
  if (device.price) return fmt::format("{} ({})", money(device.price->value), device.figure("price")->date);
  return "";
}

template <class T>
std::string rate_text(const std::optional<T>& rate) {
  return rate ? human_rate(*rate) : "";
}

std::string parts_text(const Device& device) {
  std::string text;
  for (const auto& part : device.contains)
    text += (text.empty() ? "" : ", ") + (part.count > 0 ? fmt::format("{} × {}", part.count, part.device)
                                                         : fmt::format("{} threads of {}", part.threads, part.device));
  return text;
}

std::string source_text(const Device& device, const Figure& figure) {
  for (const auto& source : device.sources)
    if (source.key == figure.source) return source.title + ", " + figure.date;
  return figure.date.empty() ? figure.source : figure.source + ", " + figure.date;
}

}  // namespace

Result<Table> devices_table(std::span<const Device> devices) {
  Table table({{"Name", Table::Align::left},
               {"Kind", Table::Align::left},
               {"Memory"},
               {"Bandwidth"},
               {"f32 peak"},
               {"f16 peak"},
               {"Price"}});
  for (const auto& device : devices) {
    PLIM_ASSIGN(const ComputePart part, compute_part(device));
    const std::string times = part.count > 1 ? fmt::format("{} × ", part.count) : "";
    const auto f32 = part.device.peak.find(DType::f32);
    table.add({device.name, std::string(name_of(device.kind)),
               part.device.memory ? times + human_bytes(*part.device.memory) : "",
               rate_text(part.device.memory_bandwidth), f32 == part.device.peak.end() ? "" : human_rate(f32->second),
               rate_text(part.device.product_peak(DType::f16)), price_text(device)});
  }
  return table;
}

Table figures_table(const Device& device) {
  Table table({{"Figure", Table::Align::left},
               {"Value"},
               {"Unit", Table::Align::left},
               {"Source", Table::Align::left},
               {"Note", Table::Align::left}});
  for (const auto& figure : device.figures)
    table.add({figure.field, fmt::format("{}", figure.value), figure.unit, source_text(device, figure), figure.note});
  return table;
}

std::string device_heading(const Device& device) {
  std::string text = printable(device.title);
  text += fmt::format(" ({}: {}", name_of(device.kind), printable(device.name));
  for (const auto& alias : device.aliases) text += ", also " + printable(alias);
  text += ")\n";
  if (!device.released.empty()) text += "released " + device.released + "\n";
  if (!device.contains.empty()) text += "contains " + printable(parts_text(device)) + "\n";
  if (!device.note.empty()) text += printable(device.note) + "\n";
  return text;
}

}  // namespace plimsoll
