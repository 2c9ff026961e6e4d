#include "tell/report/token_place_report.h"

#include <fmt/format.h>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "base/text.h"
#include "plan/ask/token_fit_request.h"
#include "tell/report/table.h"

namespace plimsoll {

std::string token_place_text(const TokenPlaceOutcome& outcome) {
  Table table({{"Device", Table::Align::left},
               {"Plan", Table::Align::left},
               {"Micro-batch"},
               {"Needed"},
               {"Tokens/s"},
               {"MFU"},
               {"Total"},
               {"Cost"},
               {"Bound by", Table::Align::left}});
  size_t shown = 0;
  for (const auto& p : outcome.ranked) {
    if (++shown > outcome.top) break;
    const std::string plan = plan_text(p.setup);
    table.add({p.device.whole.name + (p.fits ? "" : " (does not fit)"), plan.empty() ? "one device" : plan,
               with_commas(p.batch), human_bytes(p.memory.needed()), with_commas(int64_t(p.time.tokens_per_second)),
               p.time.mfu ? percent(*p.time.mfu) : "?", human_time(p.total), p.cost ? human_dollars(*p.cost) : "?",
               std::string(p.time.bound_by)});
  }
  std::string text = fmt::format("{}, {}, {}, {}, {} tokens in samples of {}, load line {}\n\n{}",
                                 printable(outcome.model, 80), method_text(outcome.setup.tuning),
                                 outcome.setup.optimizer->name, outcome.format, with_commas(int64_t(outcome.tokens)),
                                 with_commas(outcome.sequence), percent(outcome.load_line), table.text());
  if (outcome.ranked.size() > outcome.top)
    text += fmt::format("… and {} more ({} N)\n", outcome.ranked.size() - outcome.top, named("top"));
  text += outcome.choice.empty() ? "\nVerdict: none.\n" : fmt::format("\nVerdict: {}.\n", outcome.choice);
  for (const auto& reason : outcome.reasons) text += "  " + reason + "\n";
  for (const auto& note : outcome.notes) text += note + "\n";
  for (const auto& device : outcome.not_placed) text += "Not placed: " + device + "\n";
  return text;
}

}  // namespace plimsoll
