#include "tell/report/probe_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/measure/probe_request.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

// Of an integer format the operations are not on floating-point numbers.
std::string rate_text(DType type, FlopsPerSecond rate) {
  std::string text = human_rate(rate);
  if (!is_floating(type)) text.erase(text.find("FL"), 2);
  return text;
}

std::string cores_text(int64_t count) { return count == 1 ? "1 core" : fmt::format("{} cores", count); }

Table peaks_table(const Probe& probe) {
  Table table({{"Operations", Table::Align::left},
               {"With", Table::Align::left},
               {"1 core"},
               {"all " + cores_text(probe.team)}});
  for (const auto& peak : probe.peaks)
    table.add({std::string(name_of(peak.type)), std::string(peak.instruction_set), rate_text(peak.type, peak.one),
               rate_text(peak.type, peak.all)});
  return table;
}

Table levels_table(const Probe& probe) {
  const std::string all = "all " + cores_text(probe.team);
  Table table(
      {{"Bandwidth", Table::Align::left}, {"Read, 1 core"}, {"Read, " + all}, {"Triad, 1 core"}, {"Triad, " + all}});
  for (const auto& level : probe.levels)
    table.add({std::string(level.name), human_rate(level.one.read), human_rate(level.all.read),
               human_rate(level.one.triad), human_rate(level.all.triad)});
  return table;
}

Table others_table(const Probe& probe) {
  Table table({{"Loading", Table::Align::left}, {"Rate"}});
  if (probe.fresh_memory.per_second > 0)
    table.add({"memory, written for the first time", human_rate(probe.fresh_memory)});
  if (probe.disk.read) table.add({"disk, read", human_rate(*probe.disk.read)});
  if (probe.disk.write) table.add({"disk, written and flushed", human_rate(*probe.disk.write)});
  const auto images = [](ImagesPerSecond rate) { return fmt::format("{:.4g} images/s", rate.per_second); };
  const auto& picture = probe.decoding;
  table.add({fmt::format("JPEG of {}x{}, decoded by 1 core", picture.width, picture.height), images(picture.decoded)});
  table.add({"the same, and augmented to 256x256", images(picture.augmented)});
  table.add({"the same by a loader in Python (predicted)", images(picture.in_python())});
  return table;
}

// The best of each method over the channels and places that were measured.
Table conv_table(const Probe& probe) {
  Table table({{"Convolutions", Table::Align::left}, {"Kernel"}, {"Forward"}, {"Of data"}, {"Of weights"}});
  for (const auto method : {ConvMethod::direct, ConvMethod::winograd_2x2, ConvMethod::winograd_4x4,
                            ConvMethod::depthwise, ConvMethod::product})
    for (const int64_t kernel : {1, 3, 5}) {
      std::vector<std::string> row{std::string(name_of(method)), fmt::format("{0}x{0}", kernel)};
      bool any = false;
      for (const auto direction : kConvDirections) {
        FlopsPerSecond best;
        for (const auto& rate : probe.conv_rates.rows())
          if (rate.method == method && rate.kernel == kernel && rate.direction == direction)
            best = std::max(best, rate.rate);
        any = any || best.per_second > 0;
        row.push_back(best.per_second > 0 ? human_rate(best) : "-");
      }
      if (any) table.add(std::move(row));
    }
  return table;
}

Table memory_bound_table(const Probe& probe) {
  Table table({{"Over memory", Table::Align::left}, {"In cache"}, {"Beyond"}});
  for (const MemoryBound kind : kMemoryBounds) {
    const MemoryBoundRate *first = nullptr, *last = nullptr;
    for (const auto& row : probe.memory_bound_rates.rows()) {
      if (row.kind != kind) continue;
      if (!first) first = &row;
      last = &row;
    }
    if (first) table.add({std::string(name_of(kind)), human_rate(first->rate), human_rate(last->rate)});
  }
  return table;
}

}  // namespace

std::string probe_text(const Probe& probe) {
  std::string text = fmt::format(
      "{}: {}, {} threads, {} of memory\n\n", printable(probe.machine.cpu.empty() ? "unknown CPU" : probe.machine.cpu),
      cores_text(probe.machine.cores().value()), probe.machine.threads().value(), human_bytes(*probe.machine.memory()));
  text += peaks_table(probe).text() + "\n" + levels_table(probe).text() + "\n";
  if (!probe.conv_rates.empty()) text += conv_table(probe).text() + "\n";
  if (!probe.memory_bound_rates.empty()) text += memory_bound_table(probe).text() + "\n";
  text += others_table(probe).text();
  const auto notes = all_notes(probe);
  if (!notes.empty()) text += "\n";
  for (const auto& note : notes) text += "Note: " + note + "\n";
  return text;
}

std::string probe_text(const DeviceProbe& probe) {
  Table table({{fmt::format("{}, by PyTorch {}", probe.described.title, probe.torch), Table::Align::left}, {"Rate"}});
  for (const auto& [format, rate] : probe.products)
    table.add({fmt::format("product of {0} x {0} in {1}", probe.rows, ComputeFormat{format}.name()), human_rate(rate)});
  table.add(
      {fmt::format("copy of {} on the device, read and written", human_bytes(probe.copied)), human_rate(probe.copy)});
  table.add({"copy to the device", human_rate(probe.to_device)});
  table.add({"copy to the host", human_rate(probe.to_host)});
  table.add({"a call", fmt::format("{:.2f} µs", probe.call.value * 1e6)});
  if (probe.described.memory) table.add({"memory", human_bytes(*probe.described.memory)});
  if (probe.context) table.add({"of it held by libraries", human_bytes(*probe.context)});
  return table.text();
}

}  // namespace plimsoll
