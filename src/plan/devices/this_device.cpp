#include "plan/devices/this_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/field_mark.h"
#include "base/text.h"
#include "plan/devices/read_device.h"
#include "plan/devices/write_device.h"

namespace plimsoll {
namespace {

const char* const kProbeHint = "run 'plimsoll probe' again";

// Assumed where only a probe could tell: an ordinary clock, and memory of two channels that one core cannot exhaust.
constexpr double kAssumedGhz = 2;
constexpr double kAssumedGbPerCore = 10, kAssumedGbAtMost = 40;

// Operations of one core in a cycle, taking two vector units for granted; with the reason.
struct Width {
  int f32;
  const char* why;
};

Width vector_width(const MachineFacts& facts) {
  if (facts.has("avx512f")) return {64, "2 units × 16 lanes × 2"};
  if (facts.has("avx2") && facts.has("fma")) return {32, "2 units × 8 lanes × 2"};
  if (facts.has("avx")) return {16, "a product and a sum of 8 lanes"};
  if (facts.has("asimd")) return {16, "2 units × 4 lanes × 2"};
  return {8, "a product and a sum of 4 lanes"};
}

std::string name_of_cpu(const MachineFacts& facts) { return facts.cpu.empty() ? "unknown CPU" : facts.cpu; }

void set_memory(Device& device, const MachineFacts& facts) {
  const char* source = facts.memory_limit ? "derived: the cgroup's limit" : "derived: MemTotal of /proc/meminfo";
  set_figure(device, {"memory", double(facts.memory()->value()), "B", source, {}, {}});
}

// Clock × width × cores: an upper bound, as a data sheet would have it.
Device nominal_device(const MachineFacts& facts) {
  Device device = describe_this_machine(facts);
  const double ghz = facts.clock ? facts.clock->per_second / 1e9 : kAssumedGhz;
  const Width width = vector_width(facts);
  const double cores = std::min(double(facts.cores().value()), facts.quota.value_or(1e9));
  const std::string clock_source = facts.clock ? "derived: /proc/cpuinfo" : "derived: assumed, the system has none";
  set_figure(device, {"base_clock", ghz, "GHz", clock_source, {}, {}});
  set_figure(device, {"f32_per_cycle", double(width.f32), "flop", fmt::format("derived: {}", width.why), {}, {}});
  const std::string peak_source = fmt::format("derived: {:.3g} cores × {} × {:.3g} GHz", cores, width.f32, ghz);
  set_figure(device, {"peak.f32", cores * width.f32 * ghz, "GFLOP/s", peak_source, {}, "nominal, not measured"});
  set_figure(device, {"peak.f64", cores * width.f32 * ghz / 2, "GFLOP/s", "derived: f32 / 2", {}, {}});
  const double bandwidth = std::min(double(facts.cores().value()) * kAssumedGbPerCore, kAssumedGbAtMost);
  set_figure(device,
             {"memory_bandwidth",
              bandwidth,
              "GB/s",
              fmt::format("derived: assumed, {} GB/s a core and at most {}", kAssumedGbPerCore, kAssumedGbAtMost),
              {},
              {}});
  return device;
}

// Why the kept probe does not speak for this machine; "" when it does.
std::string difference(const Device& probe, const MachineFacts& facts) {
  if (probe.title != name_of_cpu(facts))
    return fmt::format("the kept probe is of {}, this is {}", plimsoll::in_quotes(probe.title),
                       plimsoll::in_quotes(name_of_cpu(facts)));
  if (*probe.cores != facts.cores() || *probe.threads != facts.threads())
    return fmt::format("the kept probe is of {} cores with {} threads, here are {} with {}", probe.cores->value(),
                       probe.threads->value(), facts.cores().value(), facts.threads().value());
  return "";
}

Status check_probe(const Device& device) {
  const auto lacks = [](const char* field) {
    return user_error(fmt::format("{} is missing, expected in a probe", field));
  };
  if (device.name != kThisDevice || device.kind != DeviceKind::cpu)
    return user_error(fmt::format("describes {} '{}', expected the probe of a machine, cpu 'this'",
                                  name_of(device.kind), printable(device.name, 80)));
  if (!device.memory) return lacks("memory");
  if (!device.cores || !device.threads) return lacks(device.cores ? "threads" : "cores");
  const Figure* peak = device.figure("peak.f32");
  if (!peak || peak->source != kProbeSource) return lacks("a measured peak.f32");
  return {};
}

}  // namespace

std::string probe_path() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (auto path = variable("PLIMSOLL_PROBE"); !path.empty()) return path;
  // A relative XDG_CACHE_HOME is to be ignored, says its specification.
  if (const auto cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/plimsoll/this.json";
  const auto home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/plimsoll/this.json";
}

Result<Device> read_probe(const std::string& path) {
  auto device = read_device_file(path);
  if (!device.ok()) {
    Error error = std::move(device).error();
    error.hint = kProbeHint;
    return error;
  }
  if (const Status checked = check_probe(*device); !checked.ok()) {
    Error error = checked.error();
    error.hint = kProbeHint;
    return std::move(error).in(printable(path, 200));
  }
  return device;
}

Device describe_this_machine(const MachineFacts& facts) {
  Device device;
  device.name = kThisDevice;
  device.title = name_of_cpu(facts);
  device.vendor = facts.vendor.empty() ? "unknown" : facts.vendor;
  device.kind = DeviceKind::cpu;
  for (const char* flag : {"sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "avx512_fp16",
                           "avx_vnni", "amx_bf16", "amx_int8", "asimd", "sve"})
    if (facts.has(flag)) device.instruction_sets.emplace_back(flag);
  set_memory(device, facts);
  set_figure(device, {"cores", double(facts.cores().value()), "count", "derived: /proc/cpuinfo and limits", {}, {}});
  set_figure(device,
             {"threads", double(facts.threads().value()), "count", "derived: /proc/cpuinfo and limits", {}, {}});
  return device;
}

std::optional<Device> probe_of_this_machine(const std::string& path, const std::string& root) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return std::nullopt;
  auto probe = read_probe(path);
  if (!probe.ok()) return std::nullopt;
  const MachineFacts facts = read_this_machine(root);
  if (probe->title != name_of_cpu(facts) || facts.cores() > *probe->cores) return std::nullopt;
  return *std::move(probe);
}

Result<ThisDevice> load_this_device(const std::string& path, const std::string& root) {
  const MachineFacts facts = read_this_machine(root);
  if (!facts.memory())
    return environment_error("/proc/meminfo does not say how much memory this machine has",
                             "describe it in a file: " + named("device") + " ./mine.json");
  ThisDevice here;
  here.notes = facts.limits();
  std::string why = "this machine is not measured yet";
  std::error_code ignored;
  if (!path.empty() && std::filesystem::exists(path, ignored)) {
    PLIM_ASSIGN(here.device, read_probe(path));
    why = difference(here.device, facts);
    here.probed = why.empty();
  }
  if (here.probed) {
    set_memory(here.device, facts);
    if (!here.device.note.empty()) here.notes.push_back(here.device.note);
  } else {
    here.device = nominal_device(facts);
    here.notes.push_back(why + ": its speed is taken from its clock; 'plimsoll probe' measures it");
  }
  here.device.note = fmt::format("{}", fmt::join(here.notes, "; "));
  return here;
}

}  // namespace plimsoll
