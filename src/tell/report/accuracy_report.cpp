#include "tell/report/accuracy_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "plan/memory/framework_accuracy.h"
#include "plan/time/accuracy.h"
#include "tell/report/table.h"

namespace plimsoll {

std::string accuracy_text() {
  Table times({{"Step time against", Table::Align::left}, {"Rows"}, {"Median error"}, {"Worst"}, {"Within 30 %"}});
  for (const auto& row : step_time_accuracy())
    times.add({std::string(row.measured), with_commas(row.rows), percent(row.median_error),
               fmt::format("×{:.2f}", row.worst_factor), percent(row.within_30)});
  Table memory({{"Memory against", Table::Align::left}, {"Rows"}, {"Median error"}, {"Largest"}, {"Outside low–high"}});
  for (const Framework framework : {Framework::pytorch, Framework::tensorflow})
    if (const auto accuracy = accuracy_of(framework))
      memory.add({std::string(accuracy->source), with_commas(accuracy->rows), percent(accuracy->median_error),
                  percent(accuracy->largest_error), percent(accuracy->outside)});
  return times.text() + "\n" + memory.text() +
         "\nThe models were fitted to these measurements. docs/accuracy.md has what they give for devices and networks "
         "that were left out of the fit.\n";
}

Json accuracy_json() {
  Json json{{"schema", "plimsoll.place/1"}, {"step_time", Json::array()}, {"memory", Json::array()}};
  for (const auto& row : step_time_accuracy())
    json["step_time"].push_back({{"measured", row.measured},
                                 {"rows", row.rows},
                                 {"median_error", row.median_error},
                                 {"worst_factor", row.worst_factor},
                                 {"within_30", row.within_30}});
  for (const Framework framework : {Framework::pytorch, Framework::tensorflow})
    if (const auto accuracy = accuracy_of(framework))
      json["memory"].push_back({{"framework", name_of(framework)},
                                {"measured", accuracy->source},
                                {"rows", accuracy->rows},
                                {"median_error", accuracy->median_error},
                                {"largest_error", accuracy->largest_error},
                                {"outside", accuracy->outside}});
  return json;
}

}  // namespace plimsoll
