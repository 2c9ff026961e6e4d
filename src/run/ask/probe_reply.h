// What probe answers, key by key: operations, bytes and images per second, bytes.
#pragma once

#include "base/rows/reply.h"
#include "run/measure/probe_request.h"

namespace plimsoll {

inline constexpr std::string_view kProbeSchema = "plimsoll.probe/1";

// A measured point as a list of numbers: where it was measured, then the rate in units of 10^9 a second.
struct RatePoint {
  std::vector<int64_t> at;
  double giga = 0;
};

template <>
struct detail::ReplyForm<RatePoint> {
  static Json json(const RatePoint& point) {
    Json json = point.at;
    json.push_back(point.giga);
    return json;
  }
  static Json schema(Definitions&) { return {{"type", "array"}, {"items", {{"type", "number"}}}}; }
};

struct ConvRatesReply {
  ConvDirection direction;
  ConvMethod method;
  int64_t kernel;
  std::vector<RatePoint> at;
};
inline std::string_view schema_name(const ConvRatesReply*) { return "ConvRates"; }

template <class V>
void describe(V& row, const ConvRatesReply* r) {
  row("direction", "forward, grad_data or grad_weights", [=] { return name_of(r->direction); });
  row("method", "", [=] { return name_of(r->method); });
  row("kernel", "size along both axes", [=] { return r->kernel; });
  row("at", "channels, output positions, GFLOP/s as the direct method counts them", [=] { return r->at; });
}

struct MemoryBoundRatesReply {
  MemoryBound kind;
  std::vector<RatePoint> at;
};
inline std::string_view schema_name(const MemoryBoundRatesReply*) { return "MemoryBoundRates"; }

template <class V>
void describe(V& row, const MemoryBoundRatesReply* r) {
  row("sweep", "what passes over memory", [=] { return name_of(r->kind); });
  row("at", "bytes, GB/s", [=] { return r->at; });
}

// Grouped as in a device file.
std::vector<ConvRatesReply> rates_reply(const ConvRates& rates);
std::vector<MemoryBoundRatesReply> rates_reply(const MemoryBoundRates& rates);

inline std::string_view schema_name(const MachineFacts*) { return "MachineLimits"; }

template <class V>
void describe(V& row, const MachineFacts* m) {
  row("machine_cores", "", [=] { return m->machine_cores; });
  row("machine_threads", "", [=] { return m->machine_threads; });
  row("machine_memory_bytes", "", [=] { return *m->machine_memory; });
  row("allowed_threads", "that affinity and cpuset leave this process", [=] { return m->allowed_threads; });
  row("cgroup_memory_bytes", "where it is less than the machine's", [=] { return m->memory_limit; });
  row("cgroup_cpus", "where they are fewer than the allowed threads", [=] { return m->quota; });
}

struct LevelReply {
  std::string_view level;
  int64_t cores;
  Bytes each;
  Bandwidth rate;
};
inline std::string_view schema_name(const LevelReply*) { return "MeasuredBandwidth"; }

template <class V>
void describe(V& row, const LevelReply* l) {
  row("level", "L1, L2, L3 or RAM", [=] { return l->level; });
  row("cores", "that worked at once", [=] { return l->cores; });
  row("bytes_per_core", "that each of them worked on", [=] { return l->each; });
  row("read", "bytes per second", [=] { return l->rate.read; });
  row("triad", "bytes per second: two reads and a write", [=] { return l->rate.triad; });
}

std::vector<LevelReply> levels_reply(const Probe& probe);

inline std::string_view schema_name(const Caches*) { return "Caches"; }

template <class V>
void describe(V& row, const Caches* c) {
  row("l1_bytes", "data, of one core", [=] { return c->l1; });
  row("l2_bytes", "of one core", [=] { return c->l2; });
  row("l3_bytes", "of all cores together", [=] { return c->l3; });
}

inline std::string_view schema_name(const DiskSpeed*) { return "DiskSpeed"; }

template <class V>
void describe(V& row, const DiskSpeed* d) {
  row("read", "bytes per second", [=] { return d->read; });
  row("write", "bytes per second, flushed", [=] { return d->write; });
  row("note", "why a figure is absent", [=] { return d->note.empty() ? std::nullopt : std::optional(d->note); });
}

inline std::string_view schema_name(const DecodeRate*) { return "DecodedPicture"; }

template <class V>
void describe(V& row, const DecodeRate* d) {
  row("width", "", [=] { return d->width; });
  row("height", "", [=] { return d->height; });
  row("jpeg_bytes", "", [=] { return d->jpeg; });
}

template <class T>
Named<T> by_format(const Probe& probe, T MeasuredPeak::*which) {
  Named<T> list;
  for (const auto& peak : probe.peaks) list.emplace_back(name_of(peak.type), peak.*which);
  return list;
}

inline std::string_view schema_name(const ProbeOutcome*) { return "Probe"; }

template <class V>
void describe(V& row, const ProbeOutcome* o) {
  const auto probe = [=]() -> const Probe& { return o->probe; };
  row("date", "of the measurement", [=] { return probe().date; });
  row("quick", "", [=] { return probe().quick; });
  row("seconds", "that it took", [=] { return probe().took; });
  row("kept_in", "the file", [=] { return o->kept_in; });
  row("cpu", "", [=] { return probe().machine.cpu; });
  row("cores", "that this process may use", [=] { return probe().machine.cores(); });
  row("threads", "that this process may use", [=] { return probe().machine.threads(); });
  row("memory_bytes", "that this process may use", [=] { return *probe().machine.memory(); });
  row("limits", "the whole machine, and what this process gets of it", [=] { return probe().machine; });
  row("peak", "operations per second of all cores, by number format",
      [=] { return by_format(probe(), &MeasuredPeak::all); });
  row("core_peak", "operations per second of one core, by number format",
      [=] { return by_format(probe(), &MeasuredPeak::one); });
  row("instruction_sets", "that they were measured with",
      [=] { return by_format(probe(), &MeasuredPeak::instruction_set); });
  row("bandwidth", "of each level of memory", [=] { return levels_reply(probe()); });
  row("fresh_bandwidth", "bytes a second of memory at its first touch", [=] { return probe().fresh_memory; });
  row("conv_rates", "of convolutions, by our engine", [=] { return rates_reply(probe().conv_rates); });
  row("sweep_rates", "of what only passes over memory, by our engine",
      [=] { return rates_reply(probe().memory_bound_rates); });
  row("caches", "", [=] { return probe().caches; });
  row("disk", "", [=] { return probe().disk; });
  row("decode_rate", "images per second of one core", [=] { return probe().decoding.decoded; });
  row("decode_rate_augmented", "the same, augmented too", [=] { return probe().decoding.augmented; });
  row("decode_rate_python", "the same by a loader in Python, predicted", [=] { return probe().decoding.in_python(); });
  row("picture", "that was decoded", [=] { return probe().decoding; });
  row("notes", "limits, and what makes the figures doubtful", [=] { return all_notes(probe()); });
}

inline std::string_view schema_name(const MeasuredProduct*) { return "ProbedProduct"; }

template <class V>
void describe(V& row, const MeasuredProduct* p) {
  row("format", "", [=] { return ComputeFormat{p->format}.name(); });
  row("flops_per_second", "", [=] { return p->rate; });
}

inline std::string_view schema_name(const DeviceProbeOutcome*) { return "DeviceProbe"; }

template <class V>
void describe(V& row, const DeviceProbeOutcome* o) {
  const auto probe = [=]() -> const DeviceProbe& { return o->probe; };
  row("device", "as later requests name it", [=] { return o->device_name; });
  row("title", "", [=] { return probe().described.title; });
  row("kept_in", "the device file", [=] { return o->kept_in; });
  row("date", "", [=] { return probe().date; });
  row("quick", "", [=] { return probe().quick; });
  row("torch", "the version of PyTorch that computed", [=] { return probe().torch; });
  row("threads", "of torch:cpu", [=] { return probe().threads; });
  row("memory_bytes", "of the device", [=] { return OrNull{probe().described.memory}; });
  row("context_bytes", "that libraries hold on a GPU; null: there is none", [=] { return OrNull{probe().context}; });
  row("matrix_rows", "of the matrices that were multiplied", [=] { return probe().rows; });
  row("products", "by the format in which they were computed", [=] { return probe().products; });
  row("copy_bytes_per_second", "on the device, read and written together", [=] { return probe().copy; });
  row("to_device_bytes_per_second", "from the host's memory", [=] { return probe().to_device; });
  row("to_host_bytes_per_second", "", [=] { return probe().to_host; });
  row("call_seconds", "of an operation on one number", [=] { return probe().call; });
}

}  // namespace plimsoll
