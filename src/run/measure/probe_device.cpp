// The probe in the form of the catalog: what planning reads when it is asked about the device "this".
#include <fmt/format.h>

#include <charconv>

#include "plan/devices/this_device.h"
#include "plan/devices/write_device.h"
#include "run/measure/probe.h"

namespace plimsoll {
namespace {

// Four digits are more than such a measurement has.
double rounded(double value) {
  const std::string digits = fmt::format("{:.3e}", value);
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

class Writer {
 public:
  explicit Writer(Device& device) : device_(device) {}

  void add(const std::string& field, double value, double unit, const char* name, std::string note = {}) {
    set_figure(device_, {field, rounded(value / unit), name, std::string(kProbeSource), {}, std::move(note)});
  }
  void add(const std::string& field, BytesPerSecond rate, std::string note = {}) {
    add(field, rate.per_second, 1e9, "GB/s", std::move(note));
  }
  void add(const std::string& field, ImagesPerSecond rate, std::string note) {
    add(field, rate.per_second, 1, "images/s", std::move(note));
  }
  void add_cache(const std::string& field, const std::optional<Bytes>& size) {
    if (size) set_figure(device_, {field, double(size->value()) / 1024, "KiB", "derived: hwloc", {}, {}});
  }

 private:
  Device& device_;
};

void add_peaks(Writer& writer, const Probe& probe) {
  for (const auto& peak : probe.peaks) {
    const std::string format(name_of(peak.type));
    const char* unit = is_floating(peak.type) ? "GFLOP/s" : "GOP/s";
    const std::string note = fmt::format("with {}", peak.instruction_set);
    writer.add("peak." + format, peak.all.per_second, 1e9, unit, note);
    writer.add("core_peak." + format, peak.one.per_second, 1e9, unit, note);
  }
}

ConvRates rounded(const ConvRates& rates) {
  std::vector<ConvRate> rows(rates.rows().begin(), rates.rows().end());
  for (auto& row : rows) row.rate.per_second = rounded(row.rate.per_second / 1e9) * 1e9;
  return ConvRates(std::move(rows));
}

MemoryBoundRates rounded(const MemoryBoundRates& rates) {
  std::vector<MemoryBoundRate> rows(rates.rows().begin(), rates.rows().end());
  for (auto& row : rows) row.rate.per_second = rounded(row.rate.per_second / 1e9) * 1e9;
  return MemoryBoundRates(std::move(rows));
}

void add_levels(Writer& writer, const Probe& probe) {
  for (const auto& level : probe.levels) {
    const std::string note = fmt::format("read; two reads and a write: {}", human_rate(level.all.triad));
    if (level.name == "L1") writer.add("l1_bandwidth", level.all.read, note);
    if (level.name == "L2") writer.add("l2_bandwidth", level.all.read, note);
    if (level.name == "L3") writer.add("l3_bandwidth", level.all.read, note);
    if (level.name == "RAM") {
      writer.add("memory_bandwidth", level.all.read, note);
      writer.add("core_bandwidth", level.one.read, "read");
    }
  }
}

}  // namespace

Device probe_device(const Probe& probe) {
  Device device = describe_this_machine(probe.machine);
  device.sources.push_back({std::string(kProbeSource), "measured by plimsoll probe on this machine", probe.date});
  device.note = fmt::format("{}", fmt::join(probe.notes, "; "));
  Writer writer(device);
  add_peaks(writer, probe);
  add_levels(writer, probe);
  if (probe.fresh_memory.per_second > 0)
    writer.add("fresh_bandwidth", probe.fresh_memory, "written once right after it was mapped");
  device.conv_rates = rounded(probe.conv_rates);
  device.memory_bound_rates = rounded(probe.memory_bound_rates);
  writer.add_cache("l1_cache", probe.caches.l1);
  writer.add_cache("l2_cache", probe.caches.l2);
  writer.add_cache("l3_cache", probe.caches.l3);
  if (probe.disk.read) writer.add("disk_read", *probe.disk.read);
  if (probe.disk.write) writer.add("disk_write", *probe.disk.write, "flushed");
  const auto& picture = probe.decoding;
  writer.add("decode_rate", picture.decoded,
             fmt::format("of one core: a JPEG of {}x{}, {}", picture.width, picture.height, human_bytes(picture.jpeg)));
  writer.add("decode_rate_augmented", picture.augmented, "of one core: also cut, scaled, turned, mirrored, normalised");
  return device;
}

}  // namespace plimsoll
