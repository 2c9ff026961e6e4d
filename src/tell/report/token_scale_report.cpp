#include "tell/report/token_scale_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/ask/token_fit_request.h"

namespace plimsoll {
namespace {

void add_row(Table& table, const TokenPlacement& p, const std::string& devices, const std::string& efficiency) {
  const std::string plan = plan_text(p.setup);
  if (!p.fits) {
    table.add({devices, plan.empty() ? "one device" : plan, with_commas(p.batch), human_bytes(p.memory.needed()),
               "does not fit", "-", "-", "-", "-", "-", "-"});
    return;
  }
  table.add({devices, plan.empty() ? "one device" : plan,
             fmt::format("{} × {}", with_commas(p.batch), with_commas(p.setup.micro_batches)),
             human_bytes(p.memory.needed()), human_time(p.time.step), with_commas(int64_t(p.time.tokens_per_second)),
             p.time.mfu ? percent(*p.time.mfu) : "?", efficiency, human_time(p.total),
             p.cost ? human_dollars(*p.cost) : "?", std::string(p.time.bound_by)});
}

}  // namespace

Table token_scale_table(const TokenScaleOutcome& outcome) {
  Table table({{"Devices"},
               {"Plan", Table::Align::left},
               {"Micro-batch"},
               {"Needed"},
               {"Step"},
               {"Tokens/s"},
               {"MFU"},
               {"Efficiency"},
               {"Total"},
               {"Cost"},
               {"Bound by", Table::Align::left}});
  for (const auto& run : outcome.runs) {
    const std::string devices = with_commas(run.placement.setup.degrees.workers);
    add_row(table, run.placement, devices, percent(run.efficiency));
    for (const auto& other : run.others) add_row(table, other, "or", "");
  }
  return table;
}

std::string token_scale_text(const TokenScaleOutcome& outcome) {
  const TrainingSetup& setup = outcome.setup;
  std::string text =
      fmt::format(
          "{} on {}, {}, {}, {}, {} tokens in samples of {}\n{} devices a node, connected by {}; nodes by {}\n\n",
          printable(outcome.model, 80), printable(outcome.device, 80), method_text(setup.tuning), setup.optimizer->name,
          outcome.format, with_commas(int64_t(outcome.tokens)), with_commas(outcome.sequence),
          with_commas(outcome.wiring.per_node), outcome.wiring.inside.title, outcome.wiring.between.title) +
      token_scale_table(outcome).text() + "\n";
  for (const auto& reason : outcome.reasons) text += reason + "\n";
  for (const auto& note : outcome.notes) text += note + "\n";
  return text;
}

}  // namespace plimsoll
