#include "tell/report/sharpness_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "tell/report/table.h"

namespace plimsoll {

std::string sharpness_text(const std::vector<RunSharpness>& runs) {
  std::vector<Table::Column> columns{{"Run", Table::Align::left, 40}, {"Batch"}, {"Loss"}};
  for (const auto& box : runs.front().boxes) columns.push_back({fmt::format("Sharpness at {:g}", box.epsilon)});
  columns.push_back({"Loss at a filter's length"});
  Table table(columns);
  for (const auto& run : runs) {
    std::vector<std::string> cells{run.run, with_commas(run.batch), fmt::format("{:.4f}", run.loss)};
    for (const auto& box : run.boxes) cells.push_back(fmt::format("{:.2f} %", box.sharpness));
    cells.push_back(fmt::format("{:.4f}", (run.mean_along(0) + run.mean_along(run.positions.size() - 1)) / 2));
    table.add(std::move(cells));
  }
  return fmt::format(
      "How sharply the loss rises around trained weights, on {} training samples\n\n{}\n"
      "Sharpness at epsilon: by how much the loss can rise when no weight moves by more than epsilon (|w| + 1), of\n"
      "1 + the loss; a lower bound. The last column: the mean at both ends of {} random direction{}, each filter moved "
      "by "
      "its\nown length times {:g}. What is lower is flatter.\n",
      with_commas(runs.front().samples), table.text(), runs.front().along.size(),
      runs.front().along.size() == 1 ? "" : "s", runs.front().positions.back());
}

Plot sharpness_plot(const std::vector<RunSharpness>& runs) {
  Plot plot{
      "Loss around the trained weights, mean of random directions", "distance, in lengths of each filter", "loss", {}};
  plot.y_scale = PlotScale::logarithmic;
  for (const auto& run : runs) {
    PlotLine line{fmt::format("{}, batch {}", run.run, run.batch), {}, true};
    for (size_t i = 0; i < run.positions.size(); ++i) line.points.push_back({run.positions[i], run.mean_along(i)});
    plot.lines.push_back(std::move(line));
  }
  return plot;
}

}  // namespace plimsoll
