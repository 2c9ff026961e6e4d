#include "tell/report/network_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/colours.h"
#include "tell/report/device_plot.h"

namespace plimsoll {
namespace {

constexpr double kPerGib = 1.0 / double(int64_t{1} << 30), kPerMib = 1.0 / (1 << 20);

// From the ground up: what is there all the time first.
constexpr MemoryPart kStacked[] = {MemoryPart::fixed,     MemoryPart::parameters, MemoryPart::optimizer,
                                   MemoryPart::gradients, MemoryPart::input,      MemoryPart::activations,
                                   MemoryPart::workspace};
constexpr MemoryPart kTensors[] = {MemoryPart::parameters, MemoryPart::gradients, MemoryPart::optimizer,
                                   MemoryPart::activations, MemoryPart::input};

// What is in the memory during one operation, part by part; the sum is the timeline's.
MemoryBreakdown parts_at(const NetworkReport& report, size_t i) {
  const MemoryTimeline& timeline = report.fit->answer.load.timeline;
  const bool known = report.step && report.step->operations.size() == timeline.tensors.size();
  MemoryBreakdown parts;
  Bytes left = timeline.tensors[i];
  for (const MemoryPart part : kTensors) {
    const Bytes alive = known                             ? report.step->operations[i].memory[part]
                        : part == MemoryPart::activations ? left
                                                          : Bytes(0);
    parts[part] = std::min(left, alive);
    left = left - parts[part];
  }
  parts[MemoryPart::workspace] = timeline.workspace[i] + left;
  parts[MemoryPart::fixed] = timeline.fixed;
  return parts;
}

// Where forward turns into backward, and backward into update.
void add_phases(Plot& plot, const NetworkReport& report, double top) {
  if (!report.step || report.step->operations.size() != report.fit->answer.load.timeline.tensors.size()) return;
  const auto& operations = report.step->operations;
  const auto name = [](Phase phase) {
    return phase == Phase::backward ? "backward" : phase == Phase::update ? "update" : "forward";
  };
  for (size_t i = 0; i < operations.size(); ++i) {
    if (i > 0 && std::string_view(name(operations[i].phase)) == name(operations[i - 1].phase)) continue;
    const double at = double(i + 1);
    if (i > 0) plot.lines.push_back({"", {{at, 0}, {at, top}}, false, true});
    if (operations[i].phase != Phase::update) plot.labels.push_back({at, top, name(operations[i].phase)});
  }
}

PlotLine dots_of(const std::string& kind) {
  return {std::string(kind_title(kind)), {}, true, false, false, kind_class(kind)};
}

}  // namespace

Plot timeline_plot(const NetworkReport& report) {
  const FitAnswer& answer = report.fit->answer;
  const std::vector<Bytes> sums = answer.load.timeline.sums();
  Plot plot{fmt::format("Memory of a step, batch {}", with_commas(answer.load.batch)),
            "operation of the step",
            "MiB",
            {},
            true,
            true};
  if (sums.empty()) return plot;
  const auto peak = std::max_element(sums.begin(), sums.end());
  const bool large = peak->value() > (int64_t{2} << 30);
  const double unit = large ? kPerGib : kPerMib;
  if (large) plot.y_label = "GiB";
  std::array<PlotLine, std::size(kStacked)> areas;
  for (size_t p = 0; p < areas.size(); ++p) {
    const std::string_view name = part_name(kStacked[p]);
    areas[p] = {std::string(part_title(name)), {}, false, false, true, part_class(name), false, true};
  }
  MemoryBreakdown most;
  for (size_t i = 0; i < sums.size(); ++i) {
    const MemoryBreakdown parts = parts_at(report, i);
    Bytes below;
    for (size_t p = 0; p < areas.size(); ++p) {
      below += parts[kStacked[p]];
      most[kStacked[p]] = std::max(most[kStacked[p]], parts[kStacked[p]]);
      areas[p].points.push_back({double(i + 1), double(below.value()) * unit});
    }
  }
  for (size_t p = 0; p < areas.size(); ++p)
    if (most[kStacked[p]] > Bytes(0)) plot.lines.push_back(std::move(areas[p]));
  const double top = double(peak->value()) * unit;
  add_phases(plot, report, top * 1.12);
  plot.labels.push_back({double(peak - sums.begin() + 1), top, "peak " + human_bytes(*peak)});
  // Far above, the line would press all else to the ground.
  if (answer.load.peak.expected.value() * 2 < answer.line.value()) return plot;
  const double line = double(answer.line.value()) * unit;
  plot.lines.push_back({fmt::format("load line, {}", human_bytes(answer.line)),
                        {{1, line}, {double(sums.size()), line}},
                        false,
                        false,
                        true,
                        "load-line"});
  return plot;
}

Plot curve_plot(const NetworkReport& report) {
  Plot plot{"Memory against batch, and devices' load lines", "samples per step", "GiB"};
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  double last = 1;
  for (const auto& curve : report.curves) {
    PlotLine needed{"needed by " + curve.framework, {}, true};
    for (const auto& point : curve.points) {
      needed.points.push_back({double(point.batch), double(point.peak.value()) * kPerGib});
      if (point.batch > int64_t(last) || plot.x_ticks.empty()) plot.x_ticks.push_back(double(point.batch));
      last = std::max(last, double(point.batch));
    }
    plot.lines.push_back(std::move(needed));
  }
  for (const auto& line : report.lines) {
    const double height = double(line.line.value()) * kPerGib;
    plot.lines.push_back({line.device, {{1, height}, {last, height}}});
  }
  return plot;
}

Plot roof_plot(const Roof& roof) {
  constexpr double kSmallest = 2.2, kLargest = 18, kWhole = 60;  // radii, in pixels
  Plot plot{fmt::format("Roofline of {}", roof.device), "FLOP for each byte that is moved", "GFLOP/s, predicted"};
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  std::map<std::string, PlotLine> kinds;
  double least = 1, most = 1, whole = 0;
  for (const auto& point : roof.points) whole += point.seconds.value;
  for (const auto& point : roof.points) {
    if (point.intensity <= 0 || point.rate <= 0) continue;
    const double share = whole > 0 ? point.seconds.value / whole : 0;
    kinds.try_emplace(point.kind, dots_of(point.kind))
        .first->second.points.push_back(
            {point.intensity, point.rate / 1e9, std::clamp(std::sqrt(share) * kWhole, kSmallest, kLargest)});
    least = std::min(least, point.intensity);
    most = std::max(most, point.intensity);
  }
  for (auto& [kind, line] : kinds) plot.lines.push_back(std::move(line));
  const double peak = roof.peak.per_second / 1e9, bandwidth = roof.bandwidth.per_second / 1e9, ridge = peak / bandwidth;
  plot.lines.push_back({"the roof",
                        {{least, least * bandwidth}, {ridge, peak}, {std::max(most, ridge * 2), peak}},
                        false,
                        false,
                        true,
                        "roof"});
  plot.labels.push_back({ridge, peak, fmt::format("ridge {:.3g} FLOP a byte", ridge)});
  return plot;
}

size_t above_roof(const Roof& roof) {
  return size_t(std::count_if(roof.points.begin(), roof.points.end(), [&](const RoofPoint& point) {
    return point.rate > 1.02 * std::min(roof.peak.per_second, point.intensity * roof.bandwidth.per_second);
  }));
}

Plot placement_plot(const NetworkReport& report) {
  std::vector<PlacedDevice> devices;
  for (const auto& placed : report.by_time.ranked)
    devices.push_back({placed.device.whole.name, placed.total.value,
                       placed.cost ? std::optional(placed.cost->value) : std::nullopt, placed.fits});
  return device_plot(devices, report.devices_asked ? report.fit->view.device : "", report.by_time.verdict.choice,
                     {"Time and money of the job", "time", "USD"});
}

}  // namespace plimsoll
