#include "tell/report/probe_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "plan/devices/measured_rates_json.h"
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

Table sweep_table(const Probe& probe) {
  Table table({{"Over memory", Table::Align::left}, {"In cache"}, {"Beyond"}});
  for (const Sweep sweep : kSweeps) {
    const SweepRate *first = nullptr, *last = nullptr;
    for (const auto& row : probe.sweep_rates.rows()) {
      if (row.sweep != sweep) continue;
      if (!first) first = &row;
      last = &row;
    }
    if (first) table.add({std::string(name_of(sweep)), human_rate(first->rate), human_rate(last->rate)});
  }
  return table;
}

Json machine_json(const MachineFacts& machine) {
  Json json{{"machine_cores", machine.machine_cores.value()}, {"machine_threads", machine.machine_threads.value()}};
  json["machine_memory_bytes"] = machine.machine_memory->value();
  json["allowed_threads"] = machine.allowed_threads.value();
  if (machine.memory_limit) json["cgroup_memory_bytes"] = machine.memory_limit->value();
  if (machine.quota) json["cgroup_cpus"] = *machine.quota;
  return json;
}

void add_peaks(Json& json, const Probe& probe) {
  for (const auto& peak : probe.peaks) {
    const std::string format(name_of(peak.type));
    json["peak"][format] = peak.all.per_second;
    json["core_peak"][format] = peak.one.per_second;
    json["instruction_sets"][format] = peak.instruction_set;
  }
}

Json level_json(const MeasuredLevel& level, int cores) {
  const bool one = cores == 1;
  const Bandwidth& rate = one ? level.one : level.all;
  return {{"level", level.name},
          {"cores", cores},
          {"bytes_per_core", (one ? level.each_one : level.each_all).value()},
          {"read", rate.read.per_second},
          {"triad", rate.triad.per_second}};
}

Json caches_json(const Caches& caches) {
  Json json = Json::object();
  if (caches.l1) json["l1_bytes"] = caches.l1->value();
  if (caches.l2) json["l2_bytes"] = caches.l2->value();
  if (caches.l3) json["l3_bytes"] = caches.l3->value();
  return json;
}

Json disk_json(const DiskSpeed& disk) {
  Json json = Json::object();
  if (disk.read) json["read"] = disk.read->per_second;
  if (disk.write) json["write"] = disk.write->per_second;
  if (!disk.note.empty()) json["note"] = disk.note;
  return json;
}

std::vector<std::string> all_notes(const Probe& probe) {
  auto notes = probe.machine.limits();
  notes.insert(notes.end(), probe.notes.begin(), probe.notes.end());
  return notes;
}

}  // namespace

std::string probe_text(const Probe& probe) {
  std::string text = fmt::format(
      "{}: {}, {} threads, {} of memory\n\n", printable(probe.machine.cpu.empty() ? "unknown CPU" : probe.machine.cpu),
      cores_text(probe.machine.cores().value()), probe.machine.threads().value(), human_bytes(*probe.machine.memory()));
  text += peaks_table(probe).text() + "\n" + levels_table(probe).text() + "\n";
  if (!probe.conv_rates.empty()) text += conv_table(probe).text() + "\n";
  if (!probe.sweep_rates.empty()) text += sweep_table(probe).text() + "\n";
  text += others_table(probe).text();
  const auto notes = all_notes(probe);
  if (!notes.empty()) text += "\n";
  for (const auto& note : notes) text += "Note: " + note + "\n";
  return text;
}

Json probe_json(const Probe& probe, const std::string& kept_in) {
  Json json{{"schema", "plimsoll.probe/1"},
            {"date", probe.date},
            {"quick", probe.quick},
            {"seconds", probe.took.value},
            {"kept_in", kept_in},
            {"cpu", probe.machine.cpu},
            {"cores", probe.machine.cores().value()},
            {"threads", probe.machine.threads().value()},
            {"memory_bytes", probe.machine.memory()->value()},
            {"limits", machine_json(probe.machine)}};
  add_peaks(json, probe);
  json["bandwidth"] = Json::array();
  for (const auto& level : probe.levels) {
    json["bandwidth"].push_back(level_json(level, 1));
    if (probe.team > 1) json["bandwidth"].push_back(level_json(level, probe.team));
  }
  json["conv_rates"] = conv_rates_json(probe.conv_rates);     // channels, places, GFLOP/s of the direct way's count
  json["sweep_rates"] = sweep_rates_json(probe.sweep_rates);  // bytes, GB/s
  json["caches"] = caches_json(probe.caches);
  json["disk"] = disk_json(probe.disk);
  json["decode_rate"] = probe.decoding.decoded.per_second;
  json["decode_rate_augmented"] = probe.decoding.augmented.per_second;
  json["decode_rate_python"] = probe.decoding.in_python().per_second;
  json["picture"] = {
      {"width", probe.decoding.width}, {"height", probe.decoding.height}, {"jpeg_bytes", probe.decoding.jpeg.value()}};
  json["notes"] = all_notes(probe);
  return json;
}

}  // namespace plimsoll
