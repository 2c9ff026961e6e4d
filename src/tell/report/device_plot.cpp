#include "tell/report/device_plot.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

constexpr double kDot = 3.6, kStrongDot = 6;

// At an axis, where ticks are round.
std::string round_time(double seconds) {
  constexpr std::pair<double, const char*> kUnits[] = {{86400, "d"}, {3600, "h"},  {60, "min"},
                                                       {1, "s"},     {1e-3, "ms"}, {1e-6, "µs"}};
  for (const auto& [size, unit] : kUnits)
    if (seconds >= size * 0.999) return fmt::format("{:.3g} {}", seconds / size, unit);
  return fmt::format("{:.3g} s", seconds);
}

std::string dollars_text(double dollars) { return fmt::format("{:g} USD", dollars); }

std::vector<double> time_ticks(const std::vector<PlacedDevice>& devices) {
  constexpr double kTimes[] = {1e-6, 1e-5, 1e-4, 1e-3,  1e-2,  0.1,    1,       10,
                               60,   600,  3600, 36000, 86400, 864000, 8640000, 86400000};
  double low = devices[0].seconds, high = low;
  for (const auto& device : devices) {
    low = std::min(low, device.seconds);
    high = std::max(high, device.seconds);
  }
  std::vector<double> ticks;
  for (const double time : kTimes)
    if (time >= low && time <= high) ticks.push_back(time);
  return ticks.empty() ? std::vector<double>{low, high} : ticks;
}

// Those that no other beats in both, the quickest first.
std::vector<PlacedDevice> frontier(std::vector<PlacedDevice> devices) {
  std::sort(devices.begin(), devices.end(), [](const PlacedDevice& a, const PlacedDevice& b) {
    return std::pair(a.seconds, *a.dollars) < std::pair(b.seconds, *b.dollars);
  });
  std::vector<PlacedDevice> best;
  for (auto& device : devices)
    if (best.empty() || *device.dollars < *best.back().dollars) best.push_back(std::move(device));
  return best;
}

PlotPoint point_of(const PlacedDevice& device, double radius) { return {device.seconds, *device.dollars, radius}; }

}  // namespace

Plot device_plot(const std::vector<PlacedDevice>& devices, const std::string& asked, const std::string& verdict,
                 const DevicePlotLabels& labels) {
  Plot plot{labels.title, labels.time, labels.money};
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  std::vector<PlacedDevice> shown;
  for (const auto& device : devices)
    if (device.fits && device.seconds > 0 && device.dollars && *device.dollars > 0) shown.push_back(device);
  if (shown.size() < 2) return plot;
  plot.x_ticks = time_ticks(shown);
  plot.x_text = round_time;
  plot.y_text = dollars_text;
  PlotLine others{"devices that carry it", {}, true, false, false, "place-usual"};
  PlotLine best{"no other is quicker and cheaper", {}, true, false, true, "place-best"};
  PlotLine chosen{"the verdict", {}, true, false, false, "place-taken"};
  PlotLine own{"asked for", {}, true, false, false, "place-chosen"};
  for (const auto& device : frontier(shown)) best.points.push_back(point_of(device, kDot));
  for (const auto& device : shown) {
    others.points.push_back(point_of(device, kDot));
    if (device.name != verdict && device.name != asked) continue;
    (device.name == asked ? own : chosen).points.push_back(point_of(device, kStrongDot));
    plot.labels.push_back({device.seconds, *device.dollars, device.name});
  }
  for (auto* line : {&others, &best, &chosen, &own})
    if (!line->points.empty()) plot.lines.push_back(std::move(*line));
  return plot;
}

}  // namespace plimsoll
