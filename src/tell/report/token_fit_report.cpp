#include "tell/report/token_fit_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string heading(const TokenFitOutcome& outcome) {
  const TrainingSetup& setup = outcome.answer.setup;
  const std::string where = outcome.device.empty() ? "" : " on " + printable(outcome.device, 80);
  std::string plan = plan_text(setup);
  if (!plan.empty()) plan = "Plan: " + plan + "\n";
  return fmt::format(
      "{}, {}, {}, {}, {} attention, {} tokens, pytorch{}\n{} parameters, {} trained. Memory {}, load line "
      "{} = {}\n{}",
      printable(outcome.model, 80), method_text(setup.tuning), setup.optimizer->name, outcome.format,
      choice_name(setup.attention), with_commas(outcome.answer.sequence), where,
      with_commas(int64_t(outcome.answer.params)), with_commas(int64_t(outcome.answer.trained)),
      in_both_units(outcome.memory), percent(outcome.load_line), human_bytes(outcome.answer.line), plan);
}

std::string breakdown_text(const TokenFitAnswer& answer) {
  Table table(
      {{fmt::format("Micro-batch {}", with_commas(answer.batch)), Table::Align::left}, {"On each device"}, {"Share"}});
  const Bytes peak = answer.memory.peak();
  for (size_t p = 0; p < kTokenParts; ++p) {
    const Bytes bytes = answer.memory.parts[p];
    if (bytes == Bytes(0)) continue;
    table.add({std::string(name_of(TokenPart(p))), human_bytes(bytes),
               percent(double(bytes.value()) / double(peak.value()))});
  }
  table.add_line();
  table.add({"peak", human_bytes(peak), ""});
  if (answer.memory.needed() != peak) table.add({"needed to run at all", human_bytes(answer.memory.needed()), ""});
  table.add({"load line", human_bytes(answer.line), ""});
  return table.text();
}

std::string alternatives_text(const TokenFitAnswer& answer) {
  if (answer.alternatives.empty()) return "";
  Table table({{"What would carry more", Table::Align::left},
               {"Fits", Table::Align::left},
               {"Needed"},
               {"Micro-batch"},
               {"Time per token"}});
  for (const auto& other : answer.alternatives)
    table.add({other.change, other.fits ? "yes" : "no", human_bytes(other.needed), with_commas(other.batch),
               other.slowdown ? fmt::format("×{:.2f}", *other.slowdown) : "?"});
  return "\n" + table.text();
}

}  // namespace

std::string token_fit_text(const TokenFitOutcome& outcome) {
  std::string text = heading(outcome) + "\n" + breakdown_text(outcome.answer) + "\n";
  for (const auto& line : sentences(outcome)) text += line + "\n";
  return text + alternatives_text(outcome.answer);
}

}  // namespace plimsoll
