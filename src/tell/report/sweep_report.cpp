#include "tell/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "base/units.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

using Number = SweepOutcome::Number;

std::string in_percent(std::optional<double> share) { return share ? fmt::format("{:.2f} %", *share * 100) : "-"; }

std::optional<double> accuracy_number(const SweepPoint& point) {
  return point.diverged ? std::nullopt : std::optional(point.accuracy());
}

std::string rate_name(const std::optional<double>& rate) { return rate ? "rate " + typed_rate(*rate) : "usual rate"; }

std::string best_line(const SweepOutcome& sweep) {
  std::string text;
  std::map<int64_t, std::pair<double, std::optional<double>>> best;
  for (const auto& rate : sweep.rates())
    for (const auto& [batch, mean] : sweep.means(rate, accuracy_number))
      if (!best.contains(batch) || mean > best[batch].first) best[batch] = {mean, rate};
  for (const auto& [batch, found] : best)
    text += fmt::format("Batch {}: best with {}, {} accuracy {:.2f} %.\n", with_commas(batch), rate_name(found.second),
                        sweep.accuracy_of(), found.first * 100);
  return text;
}

std::string critical_text(const SweepOutcome& sweep) {
  if (!sweep.goal) return "";
  const auto fit = sweep.critical_batch();
  if (!fit) return fmt::format("No critical batch follows from the steps to a training loss of {:g}.\n", *sweep.goal);
  return fmt::format(
      "Critical batch by the steps to a training loss of {:g}: {} ({} to {}, each batch left out in turn); with "
      "batches\n"
      "far beyond it, {} steps remain.\n",
      *sweep.goal, with_commas(std::llround(fit->critical)), with_commas(std::llround(fit->low)),
      with_commas(std::llround(fit->high)), with_commas(std::llround(fit->least_steps)));
}

Plot against_batch(std::string title, std::string label, const SweepOutcome& sweep, const Number& number,
                   double factor) {
  Plot plot{std::move(title), "samples a step", std::move(label)};
  plot.x_scale = PlotScale::logarithmic;
  for (const auto& rate : sweep.rates()) {
    PlotLine line{rate_name(rate), {}, true};
    for (const auto& [batch, mean] : sweep.means(rate, number)) line.points.push_back({double(batch), mean * factor});
    plot.lines.push_back(std::move(line));
  }
  for (const auto& point : sweep.points) plot.x_ticks.push_back(double(point.batch));
  std::sort(plot.x_ticks.begin(), plot.x_ticks.end());
  plot.x_ticks.erase(std::unique(plot.x_ticks.begin(), plot.x_ticks.end()), plot.x_ticks.end());
  return plot;
}

Plot steps_plot(const SweepOutcome& sweep) {
  Plot plot = against_batch(
      fmt::format("Steps to a training loss of {:g}", *sweep.goal), "steps", sweep,
      [](auto& point) { return point.steps_to_goal; }, 1);
  plot.y_scale = PlotScale::logarithmic;
  const auto best = sweep.best_steps();
  const auto fit = sweep.critical_batch();
  if (!fit) return plot;
  PlotLine law{fmt::format("critical batch {}", with_commas(std::llround(fit->critical))), {}, false, true};
  for (const auto& point : best)
    law.points.push_back({double(point.batch), fit->least_steps * (1 + fit->critical / double(point.batch))});
  plot.lines.push_back(std::move(law));
  return plot;
}

}  // namespace

std::string sweep_text(const SweepOutcome& sweep) {
  std::vector<Table::Column> columns{{"Batch"},     {"Rate"},       {"Seed"}, {"Steps"},   {"Train loss"},
                                     {"Train acc"}, {"Validation"}, {"Test"}, {"Images/s"}};
  if (sweep.goal) columns.push_back({fmt::format("Steps to {:g}", *sweep.goal)});
  Table table(columns);
  for (const auto& point : sweep.points) {
    std::vector<std::string> cells{with_commas(point.batch),
                                   point.rate ? typed_rate(*point.rate) : "usual",
                                   std::to_string(point.seed.value_or(0)),
                                   with_commas(point.steps),
                                   point.diverged ? "diverged" : fmt::format("{:.4f}", point.train_loss),
                                   point.diverged ? "-" : in_percent(point.train_accuracy),
                                   in_percent(point.val_accuracy),
                                   in_percent(point.test_accuracy),
                                   fmt::format("{:.1f}", point.images_per_second)};
    if (sweep.goal) cells.push_back(point.steps_to_goal ? fmt::format("{:.0f}", *point.steps_to_goal) : "not reached");
    table.add(std::move(cells));
  }
  return fmt::format("{} on {}, kept in {}\n\n{}\n{}{}", printable(sweep.model), printable(sweep.data),
                     printable(sweep.folder), table.text(), best_line(sweep), critical_text(sweep));
}

std::vector<Plot> sweep_plots(const SweepOutcome& sweep) {
  std::vector<Plot> plots;
  plots.push_back(against_batch(fmt::format("{}: {} accuracy", sweep.model, sweep.accuracy_of()), "percent", sweep,
                                accuracy_number, 100));
  Plot speed = against_batch(
      sweep.model + ": speed", "images/s", sweep, [](auto& point) { return std::optional(point.images_per_second); },
      1);
  speed.from_zero = true;
  plots.push_back(std::move(speed));
  if (sweep.goal) plots.push_back(steps_plot(sweep));
  return plots;
}

}  // namespace plimsoll
