#include "tell/report/place_report.h"

#include <fmt/format.h>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "base/text.h"
#include "plan/weight/lower_bound_text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string heading(const Job& job, const PlaceView& view) {
  const std::string way = job.trains() ? fmt::format("training with {}, {} {}", job.step.optimizer->name,
                                                     with_commas(job.epochs), job.epochs == 1 ? "epoch" : "epochs")
                                       : std::string("inference");
  return fmt::format("{}, {}, {}, {} samples, load line {}\n\n", printable(view.model, 80), way, job.format.name,
                     with_commas(job.samples), percent(job.load_line));
}

std::string cost_text(const std::optional<Dollars>& cost) { return cost ? human_dollars(*cost) : "?"; }

// Of a device that is bought without and with its electricity.
std::string cost_text(const JobPlacement& placement, DollarsPerKilowattHour power) {
  const std::string cost = cost_text(placement.cost);
  return electricity_of(placement, power)
             ? fmt::format("{} ({} with power)", cost, human_dollars(*whole_cost(placement, power)))
             : cost;
}

Table training_table() {
  return Table({{"Device", Table::Align::left},
                {"Framework", Table::Align::left},
                {"Batch"},
                {"Step"},
                {"Samples/s"},
                {"Epoch"},
                {"Total"},
                {"Cost"},
                {"Bound by", Table::Align::left}});
}

Table inference_table() {
  return Table({{"Device", Table::Align::left},
                {"Framework", Table::Align::left},
                {"Latency"},
                {"Batch"},
                {"Samples/s"},
                {"Total"},
                {"Cost"},
                {"Per million"},
                {"Bound by", Table::Align::left}});
}

std::vector<std::string> row(const Job& job, const JobPlacement& placement, const std::string& device,
                             DollarsPerKilowattHour power) {
  const std::string framework(name_of(placement.framework)), batch = with_commas(placement.batch);
  const std::string rate =
      fmt::format("{:.{}f}", placement.samples_per_second, placement.samples_per_second < 10 ? 2 : 0);
  const std::string bound(name_of(placement.bound_by));
  if (job.trains())
    return {device,
            framework,
            batch,
            human_time(placement.step),
            rate,
            human_time(placement.epoch),
            human_time(placement.total),
            cost_text(placement, power),
            bound};
  return {device,
          framework,
          human_time(*placement.latency),
          batch,
          rate,
          human_time(placement.total),
          cost_text(placement, power),
          cost_text(placement.per_million),
          bound};
}

}  // namespace

std::vector<const JobPlacement*> shown_rows(const std::vector<JobPlacement>& ranked, size_t most,
                                            const Verdict& verdict) {
  std::vector<const JobPlacement*> rows;
  for (size_t i = 0; i < ranked.size(); ++i)
    if (i < most || (!verdict.choice.empty() && ranked[i].device.whole.name == verdict.choice))
      rows.push_back(&ranked[i]);
  return rows;
}

std::string device_text(const JobPlacement& placement, const Verdict& verdict) {
  const std::string& name = placement.device.whole.name;
  return name + (!placement.fits ? " (does not fit)" : name == verdict.choice ? " (verdict)" : "");
}

std::string place_text(const PlaceOutcome& outcome) {
  const auto& [job, ranked, verdict, view] = outcome;
  Table table = job.trains() ? training_table() : inference_table();
  const auto shown = shown_rows(ranked, view.top, verdict);
  for (const JobPlacement* placement : shown)
    table.add(row(job, *placement, device_text(*placement, verdict), view.electricity));
  std::string text = heading(job, view) + table.text();
  if (ranked.size() > shown.size())
    text += fmt::format("… and {} more ({} N)\n", ranked.size() - shown.size(), named("top"));
  if (view.uncounted.lower_bound()) text += "\n" + lower_bound_text(view.uncounted) + "\n";
  const char* known = view.uncounted.lower_bound() ? " of what is known" : "";
  text += verdict.choice.empty()
              ? "\nVerdict: none.\n"
              : fmt::format("\nVerdict{}: {}, {}.\n", known, verdict.kind == "gpu" ? "GPU" : "CPU", verdict.choice);
  for (const auto& reason : verdict.reasons) text += "  " + reason + "\n";
  constexpr size_t kLoadingSaid = 3;  // of the first devices; JSON has it of all
  for (const JobPlacement* placement : shown_rows(ranked, kLoadingSaid, verdict))
    if (!placement->loading.empty()) text += placement->device.whole.name + ": " + placement->loading + "\n";
  for (const auto& note : view.notes) text += note + "\n";
  for (const auto& device : view.not_placed) text += "Not placed: " + device + "\n";
  return text;
}

}  // namespace plimsoll
