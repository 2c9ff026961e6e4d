#include "tell/report/predict_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {

std::string predict_text(const PredictOutcome& outcome) {
  Table table({{"Picture", Table::Align::left}, {"Class", Table::Align::left}, {"Probability"}});
  for (const auto& picture : outcome.pictures)
    for (size_t i = 0; i < picture.classes.size(); ++i)
      table.add({i == 0 ? printable(picture.file, 200) : "", printable(picture.classes[i].name, 80),
                 fmt::format("{:.1f} %", 100 * picture.classes[i].probability)});
  return table.text();
}

}  // namespace plimsoll
