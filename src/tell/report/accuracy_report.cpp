#include "tell/report/accuracy_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "plan/memory/framework_accuracy.h"
#include "plan/time/accuracy.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string table_of(const std::string& title, std::span<const AccuracyRow> rows) {
  Table table({{title, Table::Align::left}, {"Rows"}, {"Median error"}, {"Worst"}, {"Within 30 %"}});
  for (const auto& row : rows)
    table.add({std::string(row.measured), with_commas(row.rows), percent(row.median_error),
               fmt::format("×{:.2f}", row.worst_factor), percent(row.within_30)});
  return table.text();
}

}  // namespace

std::string accuracy_text() {
  Table memory({{"Memory against", Table::Align::left}, {"Rows"}, {"Median error"}, {"Largest"}, {"Outside low–high"}});
  for (const Framework framework : {Framework::pytorch, Framework::tensorflow})
    if (const auto accuracy = accuracy_of(framework))
      memory.add({std::string(accuracy->source), with_commas(accuracy->rows), percent(accuracy->median_error),
                  percent(accuracy->largest_error), percent(accuracy->outside)});
  return table_of("Step time against", step_time_accuracy()) + "\n" +
         table_of("Several workers against", scaling_accuracy()) + "\n" + memory.text() +
         "\nThe models were fitted to these measurements, but for those of several workers with a process each. "
         "docs/accuracy.md has what they give for devices and networks that were left out of the fit.\n";
}

}  // namespace plimsoll
