#include "plan/devices/read_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/byte_source.h"
#include "base/rows/json.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "plan/devices/device_fields.h"
#include "plan/devices/measured_rates_json.h"

namespace plimsoll {
namespace {

constexpr double kLargestWhole = 9007199254740992.0;  // 2^53: whole numbers up to here are exact

struct TextField {
  std::string_view name;
  std::string Device::*member;
  bool needed;
};

constexpr TextField kTextFields[] = {
    {"name", &Device::name, true},          {"title", &Device::title, true},
    {"vendor", &Device::vendor, true},      {"generation", &Device::generation, false},
    {"released", &Device::released, false}, {"compute_capability", &Device::compute_capability, false},
    {"ecc", &Device::ecc, false},           {"note", &Device::note, false},
};

constexpr std::string_view kOtherFields[] = {"kind",       "released",   "sources",     "aliases",   "instruction_sets",
                                             "contains",   "peak",       "matrix_peak", "core_peak", "gemm_rate",
                                             "conv_rates", "sweep_rates"};

// Formats that hardware multiplies in, by the names of base/dtype.
constexpr std::string_view kFormats[] = {"f64", "f32", "tf32", "bf16", "f16", "f8e4m3", "f4e2m1", "int8", "int4"};

constexpr DeviceKind kKinds[] = {DeviceKind::gpu, DeviceKind::cpu, DeviceKind::node, DeviceKind::instance};

std::string found(const Json& json) {
  if (json.is_string()) return plimsoll::in_quotes(json.get_ref<const std::string&>());
  if (json.is_structured()) return json.is_array() ? "a list" : "an object";
  return json.dump();
}

Error wrong(const std::string& field, const Json& json, std::string_view expected, std::string hint = {}) {
  return user_error(fmt::format("is {}, expected {}", found(json), expected), std::move(hint)).in(field);
}

Error missing(const std::string& field, std::string_view expected, std::string hint = {}) {
  return user_error(fmt::format("is missing, expected {}", expected), std::move(hint)).in(field);
}

Status only_these(const Json& object, std::span<const std::string> known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string guess = did_you_mean(key, known);
    return user_error(fmt::format("has no field {}", plimsoll::in_quotes(key)),
                      guess.empty() ? fmt::format("fields are {}", fmt::join(known, ", ")) : guess);
  }
  return {};
}

Status only_these(const Json& object, std::initializer_list<std::string> known) {
  return only_these(object, std::span(known.begin(), known.size()));
}

Result<std::string> text_of(const Json& object, const std::string& key, std::string_view expected) {
  const auto at = object.find(key);
  if (at == object.end()) return missing(key, expected);
  if (!at->is_string() || at->get_ref<const std::string&>().empty()) return wrong(key, *at, expected);
  return at->get<std::string>();
}

// "2024", "2024-03" or "2024-03-21".
bool is_date(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  const auto number = [&](size_t at, size_t length) {
    int value = 0;
    for (const char c : text.substr(at, length)) value = value * 10 + (c - '0');
    return value;
  };
  return number(0, 4) >= 1970 && (text.size() < 7 || (number(5, 2) >= 1 && number(5, 2) <= 12)) &&
         (text.size() < 10 || (number(8, 2) >= 1 && number(8, 2) <= 31));
}

Result<std::string> date_of(const Json& object, const std::string& key, const std::string& hint = {}) {
  static constexpr std::string_view kExpected = "a date such as 2024-03";
  const auto at = object.find(key);
  if (at == object.end()) return missing(key, kExpected, hint);
  if (!at->is_string() || !is_date(at->get_ref<const std::string&>())) return wrong(key, *at, kExpected);
  return at->get<std::string>();
}

class Reader {
 public:
  Reader(const Json& json, DeviceFile file) : json_(json), own_(file == DeviceFile::own) {}

  Result<Device> read() {
    if (!json_.is_object()) return user_error(fmt::format("holds {}, expected an object", found(json_)));
    PLIM_TRY(only_these(json_, known_fields()));
    PLIM_TRY(read_texts());
    PLIM_TRY(read_kind());
    PLIM_TRY(read_names("aliases", device_.aliases));
    PLIM_TRY(read_names("instruction_sets", device_.instruction_sets));
    PLIM_TRY(read_sources());
    for (const auto& field : all_figure_fields()) PLIM_TRY(read_field(field));
    PLIM_TRY(read_peaks("peak", device_.peak));
    PLIM_TRY(read_peaks("matrix_peak", device_.matrix_peak));
    PLIM_TRY(read_peaks("core_peak", device_.core_peak));
    PLIM_TRY(read_peaks("gemm_rate", device_.gemm_rate));
    PLIM_TRY(read_contains());
    PLIM_TRY(read_rates());
    PLIM_TRY(check_complete());
    return std::move(device_);
  }

 private:
  static std::vector<std::string> known_fields() {
    std::vector<std::string> known;
    for (const auto& field : kTextFields) known.emplace_back(field.name);
    for (const auto& name : kOtherFields) known.emplace_back(name);
    for (const auto& field : all_figure_fields()) known.emplace_back(field.name);
    return known;
  }

  Status read_texts() {
    for (const auto& field : kTextFields) {
      const std::string name(field.name);
      if ((!field.needed || (own_ && name != "name")) && !json_.contains(name)) continue;
      PLIM_ASSIGN(device_.*field.member, text_of(json_, name, "a text"));
    }
    if (device_.title.empty()) device_.title = device_.name;
    if (json_.contains("released")) {
      PLIM_ASSIGN(device_.released, date_of(json_, "released"));
    }
    if (!device_.ecc.empty() && device_.ecc != "inline" && device_.ecc != "sideband")
      return wrong("ecc", json_["ecc"], "inline (checksums beside the data) or sideband (in memory of their own)");
    static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-.";
    if (device_.name.find_first_not_of(kLetters) != std::string::npos || device_.name.size() > 100)
      return wrong("name", json_["name"], "small letters, digits, '-' and '.', such as nvidia-rtx-3090");
    return {};
  }

  Status read_kind() {
    if (own_ && !json_.contains("kind")) return {};  // a gpu
    PLIM_ASSIGN(const std::string kind, text_of(json_, "kind", "gpu, cpu, node or instance"));
    for (const auto known : kKinds) {
      if (name_of(known) != kind) continue;
      device_.kind = known;
      return {};
    }
    return wrong("kind", json_["kind"], "gpu, cpu, node or instance");
  }

  Status read_names(const std::string& field, std::vector<std::string>& into) {
    const auto at = json_.find(field);
    if (at == json_.end()) return {};
    if (!at->is_array()) return wrong(field, *at, "a list of names");
    for (const auto& name : *at) {
      if (!name.is_string() || name.get_ref<const std::string&>().empty()) return wrong(field, name, "a name");
      into.push_back(name.get<std::string>());
    }
    return {};
  }

  Status read_sources() {
    const auto at = json_.find("sources");
    if (at == json_.end() && own_) return {};
    if (at == json_.end())
      return missing("sources", "where the numbers are from, such as {\"datasheet\": {\"title\", \"date\"}}");
    if (!at->is_object()) return wrong("sources", *at, "an object");
    for (const auto& [key, source] : at->items()) {
      const auto read = read_source(key, source);
      if (!read.ok()) return Error(read.error()).in("sources." + printable(key, 80));
    }
    return {};
  }

  Status read_source(const std::string& key, const Json& source) {
    if (!source.is_object()) return user_error(fmt::format("is {}, expected an object", found(source)));
    PLIM_TRY(only_these(source, {"title", "date"}));
    PLIM_ASSIGN(std::string title, text_of(source, "title", "a text"));
    PLIM_ASSIGN(std::string date, date_of(source, "date"));
    device_.sources.push_back({key, std::move(title), std::move(date)});
    return {};
  }

  Status read_field(const FigureField& field) {
    const std::string name(field.name);
    const auto at = json_.find(name);
    if (at == json_.end()) return {};
    const auto value = read_figure(name, *at, field.units, field.whole);
    if (!value.ok()) return Error(value.error()).in(name);
    field.set(device_, *value);
    return {};
  }

  // The value in the base unit; the figure is kept as written.
  Result<double> read_figure(const std::string& field, const Json& json, std::span<const UnitName> units, bool whole) {
    if (own_ && !json.is_object()) return read_short_figure(field, json, units, whole);
    if (!json.is_object())
      return user_error(fmt::format("is {}, expected an object with value, unit and source", found(json)));
    PLIM_TRY(only_these(json, {"value", "unit", "source", "date", "note"}));
    Figure figure{.field = field, .value = 0, .unit = {}, .source = {}, .date = {}, .note = {}};
    PLIM_ASSIGN(const double unit, read_unit(json, units, figure));
    PLIM_ASSIGN(const double value, read_value(json, unit, whole, figure));
    PLIM_TRY(read_source_of(json, figure));
    if (json.contains("note")) {
      PLIM_ASSIGN(figure.note, text_of(json, "note", "a text"));
    }
    device_.figures.push_back(std::move(figure));
    return value;
  }

  // "24GiB", "900 GB/s"; a plain number where its unit is no more than a count.
  Result<double> read_short_figure(const std::string& field, const Json& json, std::span<const UnitName> units,
                                   bool whole) {
    const std::string expected = fmt::format("a number and {}, such as \"{}{}\"", unit_names(units), 24, units[0].name);
    if (json.is_number()) {
      if (units.size() > 1 || units[0].size != 1)
        return user_error(fmt::format("is {}, expected {}", found(json), expected));
      return read_figure(field, {{"value", json}, {"unit", units[0].name}}, units, whole);
    }
    if (!json.is_string()) return user_error(fmt::format("is {}, expected {}", found(json), expected));
    const auto& text = json.get_ref<const std::string&>();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value))
      return user_error(fmt::format("is {}, expected {}", found(json), expected));
    const std::string unit(end + (end != text.data() + text.size() && *end == ' '), text.data() + text.size());
    return read_figure(field, {{"value", value}, {"unit", unit}}, units, whole);
  }

  static Result<double> read_unit(const Json& json, std::span<const UnitName> units, Figure& figure) {
    std::string expected = (units.size() > 1 ? "one of " : "") + unit_names(units);
    PLIM_ASSIGN(figure.unit, text_of(json, "unit", expected));
    for (const auto& unit : units)
      if (unit.name == figure.unit) return unit.size;
    std::vector<std::string> names;
    for (const auto& unit : units) names.emplace_back(unit.name);
    return wrong("unit", json["unit"], expected, did_you_mean(figure.unit, names));
  }

  static Result<double> read_value(const Json& json, double unit, bool whole, Figure& figure) {
    const auto at = json.find("value");
    const std::string hint = "leave the field out if it is unknown";
    if (at == json.end()) return missing("value", "a number", hint);
    if (!at->is_number()) return wrong("value", *at, "a number", hint);
    figure.value = at->get<double>();
    const double value = figure.value * unit;
    if (!(value > 0)) return wrong("value", *at, "a number above 0", hint);
    if (!(value < 1e21)) return wrong("value", *at, "a smaller number", "is the unit right?");
    if (!whole) return value;
    if (value > kLargestWhole) return wrong("value", *at, "a smaller number", "is the unit right?");
    if (unit == 1 && value != std::floor(value)) return wrong("value", *at, "a whole number");
    if (value < 0.5) return wrong("value", *at, "at least 1 byte", "is the unit right?");
    return std::round(value);
  }

  Status read_source_of(const Json& json, Figure& figure) const {
    if (own_ && !json.contains("source")) {
      figure.source = "derived: from one's own file";
      return {};
    }
    PLIM_ASSIGN(figure.source, text_of(json, "source", "a key of 'sources', or 'derived: …'"));
    const bool price = figure.field.starts_with("price");
    if (json.contains("date") || price) {
      PLIM_ASSIGN(figure.date, date_of(json, "date", price ? "prices change: say when it was read" : ""));
    }
    if (figure.source.starts_with("derived: ")) return {};
    for (const auto& source : device_.sources) {
      if (source.key != figure.source) continue;
      if (figure.date.empty()) figure.date = source.date;
      return {};
    }
    std::vector<std::string> keys;
    for (const auto& source : device_.sources) keys.push_back(source.key);
    return wrong("source", json["source"], "a key of 'sources', or 'derived: …'", did_you_mean(figure.source, keys));
  }

  Status read_peaks(const std::string& table, std::map<DType, FlopsPerSecond>& into) {
    const auto at = json_.find(table);
    if (at == json_.end()) return {};
    if (!at->is_object()) return wrong(table, *at, "an object with a number for each format");
    for (const auto& [key, json] : at->items()) {
      const std::string field = table + "." + printable(key, 80);
      const auto type = dtype_named(key);
      if (!type || std::find(std::begin(kFormats), std::end(kFormats), key) == std::end(kFormats))
        return user_error(fmt::format("is not a number format, expected one of {}", fmt::join(kFormats, ", ")))
            .in(field);
      const auto value = read_figure(field, json, peak_units(*type), false);
      if (!value.ok()) return Error(value.error()).in(field);
      into[*type] = {*value};
    }
    return {};
  }

  Status read_rates() {
    if (const auto at = json_.find("conv_rates"); at != json_.end()) {
      auto rates = read_conv_rates(*at);
      if (!rates.ok()) return std::move(rates).error().in("conv_rates");
      device_.conv_rates = *std::move(rates);
    }
    if (const auto at = json_.find("sweep_rates"); at != json_.end()) {
      auto rates = read_memory_bound_rates(*at);
      if (!rates.ok()) return std::move(rates).error().in("sweep_rates");
      device_.memory_bound_rates = *std::move(rates);
    }
    return {};
  }

  Status read_contains() {
    const auto at = json_.find("contains");
    if (at == json_.end()) return {};
    if (!at->is_array()) return wrong("contains", *at, "a list of {\"device\", \"count\"}");
    for (const auto& part : *at) {
      const auto read = read_part(part);
      if (!read.ok()) return Error(read.error()).in("contains");
    }
    return {};
  }

  Status read_part(const Json& part) {
    if (!part.is_object()) return user_error(fmt::format("holds {}, expected {{\"device\", \"count\"}}", found(part)));
    PLIM_TRY(only_these(part, {"device", "count", "threads"}));
    Contained contained;
    PLIM_ASSIGN(contained.device, text_of(part, "device", "a device's name"));
    if (part.contains("count") == part.contains("threads"))
      return user_error(fmt::format("{} has {}, expected one of them", plimsoll::in_quotes(contained.device),
                                    part.contains("count") ? "both count and threads" : "neither count nor threads"));
    const std::string key = part.contains("count") ? "count" : "threads";
    const Json& number = part[key];
    if (!number.is_number_unsigned() || number.get<uint64_t>() < 1 || number.get<uint64_t>() > 1'000'000)
      return wrong(key, number, "a whole number from 1 to 1,000,000");
    (key == "count" ? contained.count : contained.threads) = number.get<int64_t>();
    device_.contains.push_back(std::move(contained));
    return {};
  }

  // What no device of its kind can be without.
  Status check_complete() const {
    const bool chip = device_.kind == DeviceKind::gpu || device_.kind == DeviceKind::cpu;
    if (device_.kind == DeviceKind::gpu && !device_.memory) return missing("memory", "the memory of a gpu");
    // Of one's own card its memory is enough to be loaded; what takes time asks for the two others, of which neither
    // says much alone.
    const bool memory_alone = own_ && device_.kind == DeviceKind::gpu && !device_.memory_bandwidth &&
                              device_.peak.empty() && device_.matrix_peak.empty();
    if (memory_alone) return {};
    if (chip && !device_.memory_bandwidth) return missing("memory_bandwidth", "how fast memory is read");
    // An accelerator for products alone may publish those only: it has memory to plan for, but is not timed.
    const bool products_alone = device_.kind == DeviceKind::gpu && device_.peak.empty() && !device_.matrix_peak.empty();
    if (chip && !device_.peak.contains(DType::f32) && !products_alone)
      return missing("peak.f32", "operations per second in f32");
    if (!chip && device_.contains.empty()) return missing("contains", "the devices it is made of");
    if (device_.kind == DeviceKind::instance && !device_.price_per_hour)
      return missing("price_per_hour", "what an instance costs, with its date");
    return {};
  }

  const Json& json_;
  bool own_;
  Device device_;
};

// "My card.json" is my-card.
std::string name_of_file(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) || c == '.' ? char(std::tolower(c)) : '-';
  return name;
}

}  // namespace

Result<Device> read_device(std::string_view json, DeviceFile file) {
  PLIM_ASSIGN(const Json document, parse_strict_json(json));
  return Reader(document, file).read();
}

Result<Device> read_device_file(const std::string& path) {
  const auto read = [&]() -> Result<Device> {
    PLIM_ASSIGN(const auto source, open_regular_file(path, ".json"));
    if (source->size() > kLargestDeviceFile)
      return user_error(
          fmt::format("has {} bytes, expected a device file of at most 1 MiB", with_commas(source->size())));
    std::string text(size_t(source->size()), '\0');
    PLIM_TRY(source->read(0, text));
    PLIM_ASSIGN(Json document, parse_strict_json(text));
    if (document.is_object() && !document.contains("name")) document["name"] = name_of_file(path);
    return Reader(document, DeviceFile::own).read();
  };
  auto device = read();
  if (!device.ok()) return std::move(device).error().in(printable(path, 200));
  return device;
}

}  // namespace plimsoll
