#include "tell/report/arithmetic_fit_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/ask/fit_sentences.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string breakdown(const ArithmeticFit& fit) {
  const std::string times = fmt::format("{} × ", with_commas(fit.batch));
  Table table({{"What", Table::Align::left}, {"Bytes"}, {"", Table::Align::left}});
  table.add({"parameters", decimal_bytes(fit.load.model), ""});
  table.add({"input", decimal_bytes(fit.load.sample * fit.batch), times + decimal_bytes(fit.load.sample)});
  table.add({"activations and gradients", decimal_bytes(fit.load.activations * fit.batch),
             times + decimal_bytes(fit.load.activations)});
  table.add_line();
  table.add({"total", decimal_bytes(fit.peak), ""});
  table.add({"load line", decimal_bytes(fit.line), percent(fit.load_line) + " of " + in_both_units(fit.memory)});
  return table.text();
}

}  // namespace

std::string arithmetic_fit_text(const ArithmeticOutcome& outcome) {
  std::string text = outcome.device.empty() ? "" : printable(outcome.device) + "\n";
  text += breakdown(outcome.fit) + "\n";
  for (const auto& line : sentences(outcome)) text += line + "\n";
  return text;
}

}  // namespace plimsoll
