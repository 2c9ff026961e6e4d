#include "tell/report/bench_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "plan/ask/step_request.h"

namespace plimsoll {
namespace {

using Rows = std::vector<const BenchRun*>;
using Number = std::function<double(const BenchRun&)>;

// Rows that are one line of a plot, by x.
std::vector<Rows> lines_of(const std::vector<BenchRun>& runs, int64_t BenchRun::*x, int64_t BenchRun::*other) {
  std::vector<Rows> lines;
  for (const auto& run : runs) {
    const auto same = [&](const Rows& rows) {
      return rows.front()->conv == run.conv && rows.front()->*other == run.*other;
    };
    const auto line = std::find_if(lines.begin(), lines.end(), same);
    if (line == lines.end()) lines.push_back({&run});
    else line->push_back(&run);
  }
  for (auto& rows : lines) std::stable_sort(rows.begin(), rows.end(), [&](auto* a, auto* b) { return a->*x < b->*x; });
  return lines;
}

PlotLine line_of(std::string name, const Rows& rows, int64_t BenchRun::*x, const Number& y) {
  PlotLine line{std::move(name), {}, true};
  for (const BenchRun* run : rows) line.points.push_back({double(run->*x), y(*run)});
  return line;
}

PlotLine guide_of(std::string name, const Rows& rows, int64_t BenchRun::*x, const Number& y) {
  PlotLine line = line_of(std::move(name), rows, x, y);
  line.marks = false;
  line.guide = true;
  return line;
}

std::vector<double> measured_at(const std::vector<BenchRun>& runs, int64_t BenchRun::*x) {
  std::set<double> numbers;
  for (const auto& run : runs) numbers.insert(double(run.*x));
  return {numbers.begin(), numbers.end()};
}

std::string threads_text(int64_t count) { return fmt::format("{} thread{}", count, count == 1 ? "" : "s"); }

std::string name_or(const std::string& label, const char* alone) { return label.empty() ? alone : label; }

// Level lines without marks: their threads are not ours. Logarithmic, since a GPU is far below.
void add_beside(Plot& epoch, const Rows& rows, const BenchView& view) {
  for (const auto& device : view.beside) {
    epoch.lines.push_back(
        line_of(device.name + ", predicted", rows, &BenchRun::threads, [&](auto&) { return device.epoch.value; }));
    epoch.lines.back().marks = false;
  }
  if (!view.beside.empty()) epoch.y_scale = PlotScale::logarithmic;
}

std::vector<Plot> against_threads(const std::vector<BenchRun>& runs, const BenchView& view) {
  const auto threads = &BenchRun::threads;
  const std::string what = fmt::format("{}, {}", view.model, choice_name(view.mode));
  Plot epoch{
      fmt::format("{}: time per epoch of {} images", what, with_commas(view.samples)), "threads", "seconds", {}, true};
  Plot speedup{what + ": speed-up", "threads", "times as fast", {}, true};
  const auto lines = lines_of(runs, threads, &BenchRun::batch);
  for (const auto& rows : lines) {
    const std::string name = name_or(step_label(*rows.front(), runs), "measured");
    const BenchRun& first = *rows.front();
    epoch.lines.push_back(line_of(name, rows, threads, [&](auto& run) { return epoch_time(run, view).value; }));
    speedup.lines.push_back(line_of(
        name, rows, threads, [&](auto& run) { return first.result.median().value / run.result.median().value; }));
  }
  const BenchRun& first = *lines.front().front();
  const auto ideal = [&](const BenchRun& run) { return double(run.threads) / double(first.threads); };
  if (lines.size() == 1)
    epoch.lines.push_back(guide_of("ideal", lines.front(), threads,
                                   [&](auto& run) { return epoch_time(first, view).value / ideal(run); }));
  speedup.lines.push_back(guide_of("ideal", lines.front(), threads, ideal));
  add_beside(epoch, lines.front(), view);
  for (Plot* plot : {&epoch, &speedup}) plot->x_ticks = measured_at(runs, threads);
  return {epoch, speedup};
}

// Logarithmic, so that what grows with the operation count is a straight line of the same slope.
Plot against_batch(const std::vector<BenchRun>& runs, const BenchView& view) {
  const auto batch = &BenchRun::batch;
  Plot plot{fmt::format("{}, {}: time per step", view.model, choice_name(view.mode)), "images a step", "milliseconds"};
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  plot.x_ticks = measured_at(runs, batch);
  const auto lines = lines_of(runs, batch, &BenchRun::threads);
  for (const auto& rows : lines) {
    const BenchRun& run = *rows.front();
    std::string name = differ(runs, &BenchRun::threads) ? threads_text(run.threads) : "";
    if (differ(runs, &BenchRun::conv)) name += (name.empty() ? "" : ", ") + to_string(run.conv);
    plot.lines.push_back(
        line_of(name_or(name, "measured"), rows, batch, [](auto& row) { return row.result.median().value * 1e3; }));
  }
  const BenchRun& largest = *lines.front().back();
  plot.lines.push_back(guide_of("as the operation count grows", lines.front(), batch, [&](auto& run) {
    return largest.result.median().value * 1e3 * double(run.flops.value()) / double(largest.flops.value());
  }));
  return plot;
}

}  // namespace

std::vector<Plot> bench_plots(const std::vector<BenchRun>& runs, const BenchView& view) {
  std::vector<Plot> plots;
  if (runs.empty()) return plots;
  if (differ(runs, &BenchRun::threads)) plots = against_threads(runs, view);
  if (differ(runs, &BenchRun::batch)) plots.push_back(against_batch(runs, view));
  return plots;
}

}  // namespace plimsoll
