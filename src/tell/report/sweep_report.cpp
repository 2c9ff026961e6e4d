#include "tell/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/text.h"
#include "base/units.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

using Number = std::function<std::optional<double>(const SweepPoint&)>;
using ByBatch = std::map<int64_t, double>;

std::string in_percent(std::optional<double> share) { return share ? fmt::format("{:.2f} %", *share * 100) : "-"; }
Json or_null(std::optional<double> number) { return number ? Json(*number) : Json(); }

std::optional<double> accuracy_number(const SweepPoint& point) {
  return point.diverged ? std::nullopt : std::optional(point.accuracy());
}

// The mean over seeds, at each batch, of the points with this rate.
ByBatch means_of(const SweepView& view, const std::string& rate, const Number& number) {
  std::map<int64_t, std::vector<double>> found;
  for (const auto& point : view.points)
    if (point.rate == rate)
      if (const auto value = number(point)) found[point.batch].push_back(*value);
  ByBatch means;
  for (const auto& [batch, values] : found) {
    for (const double value : values) means[batch] += value / double(values.size());
  }
  return means;
}

std::vector<std::string> rates_of(const SweepView& view) {
  std::vector<std::string> rates;
  for (const auto& point : view.points)
    if (std::find(rates.begin(), rates.end(), point.rate) == rates.end()) rates.push_back(point.rate);
  return rates;
}

std::string rate_name(const std::string& rate) { return rate.empty() ? "usual rate" : "rate " + rate; }

std::string best_line(const SweepView& view) {
  std::string text;
  std::map<int64_t, std::pair<double, std::string>> best;
  for (const auto& rate : rates_of(view))
    for (const auto& [batch, mean] : means_of(view, rate, accuracy_number))
      if (!best.contains(batch) || mean > best[batch].first) best[batch] = {mean, rate};
  for (const auto& [batch, found] : best)
    text += fmt::format("Batch {}: best with {}, {} accuracy {:.2f} %.\n", with_commas(batch), rate_name(found.second),
                        view.accuracy_of(), found.first * 100);
  return text;
}

std::string critical_text(const SweepView& view) {
  if (!view.goal) return "";
  const auto fit = fit_critical_batch(best_steps(view));
  if (!fit) return fmt::format("No critical batch follows from the steps to a training loss of {:g}.\n", *view.goal);
  return fmt::format(
      "Critical batch by the steps to a training loss of {:g}: {} ({} to {}, each batch left out in turn); with "
      "batches\n"
      "far beyond it, {} steps remain.\n",
      *view.goal, with_commas(std::llround(fit->critical)), with_commas(std::llround(fit->low)),
      with_commas(std::llround(fit->high)), with_commas(std::llround(fit->least_steps)));
}

Plot against_batch(std::string title, std::string label, const SweepView& view, const Number& number, double factor) {
  Plot plot{std::move(title), "samples a step", std::move(label)};
  plot.x_scale = PlotScale::logarithmic;
  for (const auto& rate : rates_of(view)) {
    PlotLine line{rate_name(rate), {}, true};
    for (const auto& [batch, mean] : means_of(view, rate, number))
      line.points.push_back({double(batch), mean * factor});
    plot.lines.push_back(std::move(line));
  }
  for (const auto& point : view.points) plot.x_ticks.push_back(double(point.batch));
  std::sort(plot.x_ticks.begin(), plot.x_ticks.end());
  plot.x_ticks.erase(std::unique(plot.x_ticks.begin(), plot.x_ticks.end()), plot.x_ticks.end());
  return plot;
}

Plot steps_plot(const SweepView& view) {
  Plot plot = against_batch(
      fmt::format("Steps to a training loss of {:g}", *view.goal), "steps", view,
      [](auto& point) { return point.steps_to_goal; }, 1);
  plot.y_scale = PlotScale::logarithmic;
  const auto best = best_steps(view);
  const auto fit = fit_critical_batch(best);
  if (!fit) return plot;
  PlotLine law{fmt::format("critical batch {}", with_commas(std::llround(fit->critical))), {}, false, true};
  for (const auto& point : best)
    law.points.push_back({double(point.batch), fit->least_steps * (1 + fit->critical / double(point.batch))});
  plot.lines.push_back(std::move(law));
  return plot;
}

Json point_json(const SweepPoint& point) {
  return {{"batch", point.batch},
          {"learning_rate", point.rate.empty() ? Json() : Json(point.rate)},
          {"seed", point.seed.empty() ? Json() : Json(point.seed)},
          {"run_dir", point.run_dir},
          {"diverged", point.diverged},
          {"steps", point.steps},
          {"train_loss", point.diverged ? Json() : Json(point.train_loss)},
          {"train_accuracy", point.diverged ? Json() : Json(point.train_accuracy)},
          {"val_loss", or_null(point.val_loss)},
          {"val_accuracy", or_null(point.val_accuracy)},
          {"test_accuracy", or_null(point.test_accuracy)},
          {"images_per_second", point.images_per_second},
          {"steps_to_goal", or_null(point.steps_to_goal)}};
}

}  // namespace

std::string SweepView::accuracy_of() const {
  for (const auto& point : points) {
    if (point.test_accuracy) return "test";
    if (point.val_accuracy) return "validation";
  }
  return "training";
}

std::vector<StepsAtBatch> best_steps(const SweepView& view) {
  ByBatch fewest;
  for (const auto& rate : rates_of(view))
    for (const auto& [batch, steps] : means_of(view, rate, [](auto& point) { return point.steps_to_goal; }))
      if (!fewest.contains(batch) || steps < fewest[batch]) fewest[batch] = steps;
  std::vector<StepsAtBatch> list;
  for (const auto& [batch, steps] : fewest) list.push_back({batch, steps});
  return list;
}

std::string sweep_text(const SweepView& view) {
  std::vector<Table::Column> columns{{"Batch"},     {"Rate"},       {"Seed"}, {"Steps"},   {"Train loss"},
                                     {"Train acc"}, {"Validation"}, {"Test"}, {"Images/s"}};
  if (view.goal) columns.push_back({fmt::format("Steps to {:g}", *view.goal)});
  Table table(columns);
  for (const auto& point : view.points) {
    std::vector<std::string> cells{with_commas(point.batch),
                                   point.rate.empty() ? "usual" : point.rate,
                                   point.seed.empty() ? "0" : point.seed,
                                   with_commas(point.steps),
                                   point.diverged ? "diverged" : fmt::format("{:.4f}", point.train_loss),
                                   point.diverged ? "-" : in_percent(point.train_accuracy),
                                   in_percent(point.val_accuracy),
                                   in_percent(point.test_accuracy),
                                   fmt::format("{:.1f}", point.images_per_second)};
    if (view.goal) cells.push_back(point.steps_to_goal ? fmt::format("{:.0f}", *point.steps_to_goal) : "not reached");
    table.add(std::move(cells));
  }
  return fmt::format("{} on {}, kept in {}\n\n{}\n{}{}", printable(view.model), printable(view.data),
                     printable(view.folder), table.text(), best_line(view), critical_text(view));
}

Json sweep_json(const SweepView& view) {
  Json json{
      {"schema", "plimsoll.sweep/1"},    {"model", view.model},     {"data", view.data},        {"folder", view.folder},
      {"goal_loss", or_null(view.goal)}, {"points", Json::array()}, {"critical_batch", nullptr}};
  for (const auto& point : view.points) json["points"].push_back(point_json(point));
  if (const auto fit = view.goal ? fit_critical_batch(best_steps(view)) : std::nullopt)
    json["critical_batch"] = {
        {"batch", fit->critical}, {"low", fit->low}, {"high", fit->high}, {"least_steps", fit->least_steps}};
  return json;
}

std::vector<Plot> sweep_plots(const SweepView& view) {
  std::vector<Plot> plots;
  plots.push_back(against_batch(fmt::format("{}: {} accuracy", view.model, view.accuracy_of()), "percent", view,
                                accuracy_number, 100));
  Plot speed = against_batch(
      view.model + ": speed", "images/s", view, [](auto& point) { return std::optional(point.images_per_second); }, 1);
  speed.from_zero = true;
  plots.push_back(std::move(speed));
  if (view.goal) plots.push_back(steps_plot(view));
  return plots;
}

}  // namespace plimsoll
