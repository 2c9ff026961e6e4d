#include "tell/report/scale_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace plimsoll {
namespace {

using Number = std::function<double(const ScaleRun&)>;

std::vector<ScaleRun> by_workers(std::vector<ScaleRun> runs) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const ScaleRun& a, const ScaleRun& b) { return a.workers < b.workers; });
  return runs;
}

PlotLine line_of(std::string name, const std::vector<ScaleRun>& runs, const Number& y, bool guide = false) {
  PlotLine line{std::move(name), {}, !guide, guide};
  for (const auto& run : runs) line.points.push_back({double(run.workers), y(run)});
  return line;
}

// Logarithmic both ways: what scales without loss is a straight line.
Plot plot_of(std::string title, std::string y_label, const std::vector<ScaleRun>& runs) {
  Plot plot{std::move(title), "workers", std::move(y_label), {}};
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  std::set<double> numbers;
  for (const auto& run : runs) numbers.insert(double(run.workers));
  plot.x_ticks = {numbers.begin(), numbers.end()};
  return plot;
}

}  // namespace

std::vector<Plot> scale_plots(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view) {
  const auto runs = by_workers(forecast.runs);
  if (runs.empty()) return {};
  const ScaleRun& first = runs.front();
  const auto more = [&](const ScaleRun& run) { return double(run.workers) / double(first.workers); };
  const std::string what = fmt::format("{} on {}{}", view.model, scaling.question().device.whole.name,
                                       view.uncounted.lower_bound() ? ", unknown operations left out" : "");
  const std::string until = forecast.knee ? "to the same loss" : "of the same epochs";

  Plot speed = plot_of(what + ": images a second", "images/s", runs);
  speed.lines.push_back(line_of("forecast", runs, [](auto& run) { return run.samples_per_second; }));
  speed.lines.push_back(line_of(
      "ideal", runs, [&](auto& run) { return first.samples_per_second * more(run); }, true));

  Plot time = plot_of(fmt::format("{}: time {}", what, until), "hours", runs);
  time.lines.push_back(line_of("forecast", runs, [](auto& run) { return run.total.value / 3600; }));
  time.lines.push_back(line_of(
      "ideal", runs, [&](auto& run) { return first.total.value / 3600 / more(run); }, true));

  Plot money = plot_of(fmt::format("{}: money {}", what, until), "USD", runs);
  if (first.cost)
    money.lines.push_back(line_of("forecast", runs, [](auto& run) { return run.cost ? run.cost->value : 0; }));
  std::vector<Plot> plots{speed, time};
  if (!money.lines.empty()) plots.push_back(money);
  return plots;
}

}  // namespace plimsoll
