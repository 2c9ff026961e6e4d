// What devices answers, key by key: bytes, bytes a second, hertz, operations a second.
#pragma once

#include "plan/ask/devices_request.h"

namespace plimsoll {

inline std::string_view schema_name(const Contained*) { return "DevicePart"; }

template <class V>
void describe(V& row, const Contained* p) {
  row("device", "its name", [=] { return p->device; });
  row("count", "", [=] { return p->count > 0 ? std::optional(p->count) : std::nullopt; });
  row("threads", "of it, where only a share belongs to the machine",
      [=] { return p->count > 0 ? std::nullopt : std::optional(p->threads); });
}

struct PriceReply {
  double usd;
  std::string date;
};
inline std::string_view schema_name(const PriceReply*) { return "Price"; }

template <class V>
void describe(V& row, const PriceReply* p) {
  row("usd", "", [=] { return p->usd; });
  row("date", "of the price", [=] { return p->date; });
}

inline std::string_view schema_name(const Figure*) { return "Figure"; }

template <class V>
void describe(V& row, const Figure* f) {
  row("field", "", [=] { return f->field; });
  row("value", "", [=] { return f->value; });
  row("unit", "", [=] { return f->unit; });
  row("source", "", [=] { return f->source; });
  row("date", "", [=] { return f->date.empty() ? std::nullopt : std::optional(f->date); });
  row("note", "", [=] { return f->note.empty() ? std::nullopt : std::optional(f->note); });
}

struct SourceReply {
  std::string title, date;
};
inline std::string_view schema_name(const SourceReply*) { return "Source"; }

template <class V>
void describe(V& row, const SourceReply* s) {
  row("title", "", [=] { return s->title; });
  row("date", "", [=] { return s->date; });
}

struct DeviceReply {
  const Device* device;
  bool with_figures;
};
inline std::string_view schema_name(const DeviceReply*) { return "Device"; }

inline std::optional<Named<FlopsPerSecond>> named_peaks(const std::map<DType, FlopsPerSecond>& peaks) {
  if (peaks.empty()) return std::nullopt;
  Named<FlopsPerSecond> list;
  for (const auto& [type, peak] : peaks) list.emplace_back(name_of(type), peak);
  return list;
}

inline std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

template <class T>
std::optional<std::vector<T>> unless_empty(const std::vector<T>& list) {
  return list.empty() ? std::nullopt : std::optional(list);
}

template <class V>
void describe(V& row, const DeviceReply* r) {
  const auto d = [=] { return r->device; };
  row("name", "", [=] { return d()->name; });
  row("title", "", [=] { return d()->title; });
  row("vendor", "", [=] { return d()->vendor; });
  row("kind", "", [=] { return d()->kind; });
  row("generation", "", [=] { return unless_empty(d()->generation); });
  row("released", "", [=] { return unless_empty(d()->released); });
  row("compute_capability", "", [=] { return unless_empty(d()->compute_capability); });
  row("ecc", "where checksums of its memory are: inline takes bandwidth from the data",
      [=] { return unless_empty(d()->ecc); });
  row("note", "", [=] { return unless_empty(d()->note); });
  row("aliases", "other names of it", [=] { return unless_empty(d()->aliases); });
  row("instruction_sets", "of a CPU", [=] { return unless_empty(d()->instruction_sets); });
  row("contains", "of a node or an instance", [=] { return unless_empty(d()->contains); });
  row("memory_bytes", "", [=] { return d()->memory; });
  row("memory_max_bytes", "that it can be given", [=] { return d()->memory_max; });
  row("memory_bandwidth", "bytes a second", [=] { return d()->memory_bandwidth; });
  row("cores", "", [=] { return d()->cores; });
  row("units", "multiprocessors", [=] { return d()->units; });
  row("tensor_cores", "", [=] { return d()->tensor_cores; });
  row("threads", "", [=] { return d()->threads; });
  row("sockets", "", [=] { return d()->sockets; });
  row("f32_per_cycle", "operations of a core", [=] { return d()->f32_per_cycle; });
  row("base_clock", "hertz", [=] { return d()->base_clock; });
  row("boost_clock", "hertz", [=] { return d()->boost_clock; });
  row("vector_clock", "hertz", [=] { return d()->vector_clock; });
  row("peak", "operations a second by format", [=] { return named_peaks(d()->peak); });
  row("matrix_peak", "of matrix units", [=] { return named_peaks(d()->matrix_peak); });
  row("core_peak", "of one core", [=] { return named_peaks(d()->core_peak); });
  row("gemm_rate", "that a large product reaches, measured", [=] { return named_peaks(d()->gemm_rate); });
  row("reached_bandwidth", "that a large copy reaches, measured", [=] { return d()->reached_bandwidth; });
  row("l1_cache_bytes", "", [=] { return d()->l1_cache; });
  row("l2_cache_bytes", "", [=] { return d()->l2_cache; });
  row("l3_cache_bytes", "", [=] { return d()->l3_cache; });
  row("l1_bandwidth", "bytes a second", [=] { return d()->l1_bandwidth; });
  row("l2_bandwidth", "bytes a second", [=] { return d()->l2_bandwidth; });
  row("l3_bandwidth", "bytes a second", [=] { return d()->l3_bandwidth; });
  row("core_bandwidth", "bytes a second of one core", [=] { return d()->core_bandwidth; });
  row("tdp_watts", "", [=] { return d()->tdp ? std::optional(d()->tdp->value) : std::nullopt; });
  row("host_link", "bytes a second", [=] { return d()->host_link; });
  row("device_link", "bytes a second", [=] { return d()->device_link; });
  row("network", "bytes a second", [=] { return d()->network; });
  row("disk_read", "bytes a second", [=] { return d()->disk_read; });
  row("disk_write", "bytes a second", [=] { return d()->disk_write; });
  row("decode_rate", "images a second of one core", [=] { return d()->decode_rate; });
  row("decode_rate_augmented", "images a second of one core", [=] { return d()->decode_rate_augmented; });
  row("price", "bought", [=] {
    return d()->price ? std::optional(PriceReply{d()->price->value, d()->figure("price")->date}) : std::nullopt;
  });
  row("price_per_hour", "rented", [=] {
    return d()->price_per_hour
               ? std::optional(PriceReply{d()->price_per_hour->value, d()->figure("price_per_hour")->date})
               : std::nullopt;
  });
  row("sources", "of its figures, by key", [=] {
    Named<SourceReply> sources;
    for (const auto& source : d()->sources) sources.emplace_back(source.key, SourceReply{source.title, source.date});
    return r->with_figures ? std::optional(sources) : std::nullopt;
  });
  row("figures", "every number with its unit and source",
      [=] { return r->with_figures ? std::optional(d()->figures) : std::nullopt; });
}

inline std::string_view schema_name(const DevicesOutcome*) { return "Devices"; }

template <class V>
void describe(V& row, const DevicesOutcome* o) {
  row("devices", "", [=] {
    std::vector<DeviceReply> list;
    for (const auto& device : o->devices) list.push_back({&device, o->one});
    return list;
  });
}

}  // namespace plimsoll
