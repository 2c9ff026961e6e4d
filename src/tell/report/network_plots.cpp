#include "tell/report/network_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

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
constexpr TokenPart kStackedTokens[] = {TokenPart::fixed,     TokenPart::parameters,  TokenPart::adapters,
                                        TokenPart::optimizer, TokenPart::gradients,   TokenPart::communication,
                                        TokenPart::input,     TokenPart::activations, TokenPart::logits,
                                        TokenPart::workspace, TokenPart::slack};
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

// The memory of a step: its parts from the ground up, and what is in each at each operation.
struct StackedStep {
  std::vector<std::string_view> parts;
  std::vector<std::vector<Bytes>> operations;
  std::vector<Phase> phases;  // of the operations; empty where they are not known

  Bytes sum(size_t i) const { return std::accumulate(operations[i].begin(), operations[i].end(), Bytes(0)); }
};

// Where forward turns into backward, and backward into update.
void add_phases(Plot& plot, const std::vector<Phase>& phases, double top) {
  const auto name = [](Phase phase) {
    return phase == Phase::backward ? "backward" : phase == Phase::update ? "update" : "forward";
  };
  for (size_t i = 0; i < phases.size(); ++i) {
    if (i > 0 && std::string_view(name(phases[i])) == name(phases[i - 1])) continue;
    const double at = double(i + 1);
    if (i > 0) plot.lines.push_back({"", {{at, 0}, {at, top}}, false, true});
    if (phases[i] != Phase::update) plot.labels.push_back({at, top, name(phases[i])});
  }
}

void add_areas(Plot& plot, const StackedStep& step, double unit) {
  std::vector<PlotLine> areas;
  std::vector<Bytes> most(step.parts.size());
  for (const auto name : step.parts)
    areas.push_back({std::string(part_title(name)), {}, false, false, true, part_class(name), false, true});
  for (size_t i = 0; i < step.operations.size(); ++i) {
    Bytes below;
    for (size_t p = 0; p < areas.size(); ++p) {
      below += step.operations[i][p];
      most[p] = std::max(most[p], step.operations[i][p]);
      areas[p].points.push_back({double(i + 1), double(below.value()) * unit});
    }
  }
  for (size_t p = 0; p < areas.size(); ++p)
    if (most[p] > Bytes(0)) plot.lines.push_back(std::move(areas[p]));
}

Plot stacked_plot(std::string title, const StackedStep& step, Bytes load_line) {
  Plot plot{std::move(title), "operation of the step", "MiB", {}, true, true};
  if (step.operations.empty()) return plot;
  size_t fullest = 0;
  for (size_t i = 1; i < step.operations.size(); ++i)
    if (step.sum(i) > step.sum(fullest)) fullest = i;
  const Bytes peak = step.sum(fullest);
  const bool large = peak.value() > (int64_t{2} << 30);
  const double unit = large ? kPerGib : kPerMib, top = double(peak.value()) * unit;
  if (large) plot.y_label = "GiB";
  add_areas(plot, step, unit);
  // Were the load line just above the peak, it would go through the words: they stand on it then.
  const double line = double(load_line.value()) * unit, words = line > top && line < top * 1.25 ? line : top;
  add_phases(plot, step.phases, words * 1.12);
  plot.labels.push_back({double(fullest + 1), words, "peak " + human_bytes(peak)});
  // Far above, the line would press all else to the ground.
  if (peak.value() * 2 < load_line.value()) return plot;
  plot.lines.push_back({fmt::format("load line, {}", human_bytes(load_line)),
                        {{1, line}, {double(step.operations.size()), line}},
                        false,
                        false,
                        true,
                        "load-line"});
  return plot;
}

PlotLine dots_of(const std::string& kind) {
  return {std::string(kind_title(kind)), {}, true, false, false, kind_class(kind)};
}

}  // namespace

Plot timeline_plot(const NetworkReport& report) {
  const FitAnswer& answer = report.fit->answer;
  const size_t count = answer.load.timeline.tensors.size();
  StackedStep step;
  for (const MemoryPart part : kStacked) step.parts.push_back(part_name(part));
  for (size_t i = 0; i < count; ++i) {
    const MemoryBreakdown parts = parts_at(report, i);
    auto& sizes = step.operations.emplace_back();
    for (const MemoryPart part : kStacked) sizes.push_back(parts[part]);
  }
  if (report.step && report.step->operations.size() == count)
    for (const auto& operation : report.step->operations) step.phases.push_back(operation.phase);
  return stacked_plot(fmt::format("Memory of a step, batch {}", with_commas(answer.load.batch)), step, answer.line);
}

Plot timeline_plot(const TokenFitOutcome& fit) {
  StackedStep step;
  for (const TokenPart part : kStackedTokens) step.parts.push_back(name_of(part));
  for (const auto& moment : fit.answer.step->moments) {
    auto& sizes = step.operations.emplace_back();
    for (const TokenPart part : kStackedTokens) sizes.push_back(moment.parts[size_t(part)]);
    step.phases.push_back(moment.phase);
  }
  return stacked_plot(fmt::format("Memory of a step, micro-batch {}", with_commas(fit.answer.batch)), step,
                      fit.answer.line);
}

// A dot stands for the same operation of all blocks that are alike; what only moves memory has none.
Roof roof_of(const TokenFitOutcome& fit) {
  const TokenKernels& kernels = *fit.answer.step->kernels;
  Roof roof{fit.device, kernels.peak, kernels.bandwidth, {}};
  for (const auto& kernel : kernels.kernels)
    if (kernel.flops > 0)
      roof.points.push_back({kernel.name, kernel.kernel == TokenKernel::attention ? "attention" : "product",
                             kernel.flops / kernel.bytes, kernel.flops / kernel.time.value, kernel.time});
  return roof;
}

Plot curve_plot(const NetworkReport& report) {
  Plot plot{"Memory against batch, and devices' load lines", report.samples + " a step", "GiB"};
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
