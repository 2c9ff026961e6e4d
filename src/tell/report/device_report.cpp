#include "tell/report/device_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/write_device.h"

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

void add_number(Json& json, const char* key, const std::optional<Count>& value) {
  if (value) json[key] = value->value();
}
void add_number(Json& json, const char* key, const std::optional<Bytes>& value) {
  if (value) json[key] = value->value();
}
template <class Unit>
void add_number(Json& json, const char* key, const std::optional<Rate<Unit>>& value) {
  if (value) json[key] = value->per_second;
}

void add_peaks(Json& json, const char* key, const std::map<DType, FlopsPerSecond>& peaks) {
  if (peaks.empty()) return;
  Json table = Json::object();
  for (const auto& [type, peak] : peaks) table[std::string(name_of(type))] = peak.per_second;
  json[key] = std::move(table);
}

void add_prices(Json& json, const Device& device) {
  if (device.price) json["price"] = {{"usd", device.price->value}, {"date", device.figure("price")->date}};
  if (device.price_per_hour)
    json["price_per_hour"] = {{"usd", device.price_per_hour->value}, {"date", device.figure("price_per_hour")->date}};
}

Json figures_json(const Device& device) {
  Json list = Json::array();
  for (const auto& figure : device.figures) {
    Json json{{"field", figure.field}, {"value", figure.value}, {"unit", figure.unit}, {"source", figure.source}};
    if (!figure.date.empty()) json["date"] = figure.date;
    if (!figure.note.empty()) json["note"] = figure.note;
    list.push_back(std::move(json));
  }
  return list;
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

Json device_json(const Device& device, bool with_figures) {
  Json json{{"name", device.name}, {"title", device.title}, {"vendor", device.vendor}, {"kind", name_of(device.kind)}};
  add_texts(json, device);
  for (const auto& part : device.contains)
    json["contains"].push_back(part.count > 0 ? Json{{"device", part.device}, {"count", part.count}}
                                              : Json{{"device", part.device}, {"threads", part.threads}});
  add_number(json, "memory_bytes", device.memory);
  add_number(json, "memory_max_bytes", device.memory_max);
  add_number(json, "memory_bandwidth", device.memory_bandwidth);
  add_number(json, "cores", device.cores);
  add_number(json, "units", device.units);
  add_number(json, "tensor_cores", device.tensor_cores);
  add_number(json, "threads", device.threads);
  add_number(json, "sockets", device.sockets);
  if (device.f32_per_cycle) json["f32_per_cycle"] = *device.f32_per_cycle;
  add_number(json, "base_clock", device.base_clock);
  add_number(json, "boost_clock", device.boost_clock);
  add_number(json, "vector_clock", device.vector_clock);
  add_peaks(json, "peak", device.peak);
  add_peaks(json, "matrix_peak", device.matrix_peak);
  add_peaks(json, "core_peak", device.core_peak);
  add_number(json, "l1_cache_bytes", device.l1_cache);
  add_number(json, "l2_cache_bytes", device.l2_cache);
  add_number(json, "l3_cache_bytes", device.l3_cache);
  add_number(json, "l1_bandwidth", device.l1_bandwidth);
  add_number(json, "l2_bandwidth", device.l2_bandwidth);
  add_number(json, "l3_bandwidth", device.l3_bandwidth);
  add_number(json, "core_bandwidth", device.core_bandwidth);
  if (device.tdp) json["tdp_watts"] = device.tdp->value;
  add_number(json, "host_link", device.host_link);
  add_number(json, "device_link", device.device_link);
  add_number(json, "network", device.network);
  add_number(json, "disk_read", device.disk_read);
  add_number(json, "disk_write", device.disk_write);
  add_number(json, "decode_rate", device.decode_rate);
  add_number(json, "decode_rate_augmented", device.decode_rate_augmented);
  add_prices(json, device);
  if (!with_figures) return json;
  json["sources"] = Json::object();
  for (const auto& source : device.sources)
    json["sources"][source.key] = {{"title", source.title}, {"date", source.date}};
  json["figures"] = figures_json(device);
  return json;
}

}  // namespace plimsoll
