#include "plan/devices/write_device.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/rows/json.h"
#include "plan/devices/device_fields.h"
#include "plan/devices/measured_rates_json.h"

namespace plimsoll {
namespace {

double unit_size(std::span<const UnitName> units, std::string_view name) {
  for (const auto& unit : units)
    if (unit.name == name) return unit.size;
  PLIM_CHECK(false, "a figure of ours has a unit that its field does not know");
  return 0;
}

std::map<DType, FlopsPerSecond>& peaks_of(Device& device, std::string_view table) {
  if (table == "matrix_peak") return device.matrix_peak;
  if (table == "gemm_rate") return device.gemm_rate;
  return table == "core_peak" ? device.core_peak : device.peak;
}

void set_member(Device& device, const Figure& figure) {
  if (const size_t dot = figure.field.find('.'); dot != std::string::npos) {
    const auto type = dtype_named(figure.field.substr(dot + 1));
    PLIM_CHECK(type.has_value(), "a peak of ours is of an unknown format");
    peaks_of(device, figure.field.substr(0, dot))[*type] = {figure.value * unit_size(peak_units(*type), figure.unit)};
    return;
  }
  for (const auto& field : all_figure_fields()) {
    if (field.name != figure.field) continue;
    const double value = figure.value * unit_size(field.units, figure.unit);
    return field.set(device, field.whole ? std::round(value) : value);
  }
  PLIM_CHECK(false, "a figure of ours has no field");
}

Json figure_json(const Device& device, const Figure& figure) {
  Json json{{"value", figure.value}, {"unit", figure.unit}, {"source", figure.source}};
  std::string known;  // the date that the reader takes from the source by itself
  for (const auto& source : device.sources)
    if (source.key == figure.source) known = source.date;
  if (figure.date != known || figure.field.starts_with("price")) json["date"] = figure.date;
  if (!figure.note.empty()) json["note"] = figure.note;
  return json;
}

void add_parts(Json& json, const Device& device) {
  for (const auto& part : device.contains)
    json["contains"].push_back(part.count > 0 ? Json{{"device", part.device}, {"count", part.count}}
                                              : Json{{"device", part.device}, {"threads", part.threads}});
}

}  // namespace

void add_texts(Json& json, const Device& device) {
  const std::pair<const char*, const std::string*> texts[] = {{"generation", &device.generation},
                                                              {"released", &device.released},
                                                              {"compute_capability", &device.compute_capability},
                                                              {"ecc", &device.ecc},
                                                              {"note", &device.note}};
  for (const auto& [key, text] : texts)
    if (!text->empty()) json[key] = *text;
  if (!device.aliases.empty()) json["aliases"] = device.aliases;
  if (!device.instruction_sets.empty()) json["instruction_sets"] = device.instruction_sets;
}

void set_figure(Device& device, Figure figure) {
  set_member(device, figure);
  std::erase_if(device.figures, [&](const Figure& other) { return other.field == figure.field; });
  if (figure.date.empty())
    for (const auto& source : device.sources)
      if (source.key == figure.source) figure.date = source.date;
  device.figures.push_back(std::move(figure));
}

std::string write_device(const Device& device) {
  Json json{{"name", device.name}, {"title", device.title}, {"vendor", device.vendor}, {"kind", name_of(device.kind)}};
  add_texts(json, device);
  add_parts(json, device);
  json["sources"] = Json::object();
  for (const auto& source : device.sources)
    json["sources"][source.key] = {{"title", source.title}, {"date", source.date}};
  for (const auto& figure : device.figures) {
    const size_t dot = figure.field.find('.');
    if (dot == std::string::npos) json[figure.field] = figure_json(device, figure);
    else json[figure.field.substr(0, dot)][figure.field.substr(dot + 1)] = figure_json(device, figure);
  }
  if (!device.conv_rates.empty()) json["conv_rates"] = conv_rates_json(device.conv_rates);
  if (!device.memory_bound_rates.empty()) json["sweep_rates"] = memory_bound_rates_json(device.memory_bound_rates);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plimsoll
