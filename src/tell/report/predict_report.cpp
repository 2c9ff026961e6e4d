#include "tell/report/predict_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {

std::string predict_text(const PredictOutcome& outcome) {
  Table table(
      {{outcome.texts ? "Text" : "Picture", Table::Align::left}, {"Class", Table::Align::left}, {"Probability"}});
  for (const auto& sample : outcome.samples)
    for (size_t i = 0; i < sample.classes.size(); ++i)
      table.add({i == 0 ? printable(sample.sample, outcome.texts ? 60 : 200) : "",
                 printable(sample.classes[i].name, 80), fmt::format("{:.1f} %", 100 * sample.classes[i].probability)});
  return table.text();
}

}  // namespace plimsoll
