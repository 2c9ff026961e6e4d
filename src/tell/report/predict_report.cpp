#include "tell/report/predict_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {

namespace {

// As it was written, line by line; nothing in it can move the cursor.
std::string written_lines(const WrittenText& written) {
  const std::string all = written.prompt + written.text;
  std::string text;
  for (size_t at = 0; at <= all.size();) {
    const size_t end = std::min(all.find('\n', at), all.size());
    text += printable(std::string_view(all).substr(at, end - at), all.size() + 1) + "\n";
    at = end + 1;
  }
  return text + fmt::format("\n{} tokens{}, {:.1f} tokens/s\n", with_commas(written.tokens),
                            written.ended ? ", then the end of the text" : "",
                            double(written.tokens) / std::max(written.seconds.value, 1e-9));
}

}  // namespace

std::string predict_text(const PredictOutcome& outcome) {
  if (outcome.written) return written_lines(*outcome.written);
  Table table(
      {{outcome.texts ? "Text" : "Picture", Table::Align::left}, {"Class", Table::Align::left}, {"Probability"}});
  for (const auto& sample : outcome.samples)
    for (size_t i = 0; i < sample.classes.size(); ++i)
      table.add({i == 0 ? printable(sample.sample, outcome.texts ? 60 : 200) : "",
                 printable(sample.classes[i].name, 80), fmt::format("{:.1f} %", 100 * sample.classes[i].probability)});
  return table.text();
}

}  // namespace plimsoll
