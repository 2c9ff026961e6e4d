#include "tell/report/bench_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/ask/fit_sentences.h"
#include "plan/ask/step_request.h"
#include "tell/report/profile_report.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string off(double measured, double said) { return fmt::format("{:+.1f} %", (measured / said - 1) * 100); }

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string table_text(const std::vector<BenchRun>& runs, const BenchView& view) {
  const bool ways = differ(runs, &BenchRun::conv);
  std::vector<Table::Column> columns{{"Batch"},     {"Threads"},     {"Step"},    {"±"},
                                     {"Predicted"}, {"Images/s"},    {"Of peak"}, {"Speed-up"},
                                     {"Planned"},   {"Peak memory"}, {"off"}};
  if (ways) columns.insert(columns.begin(), {"Conv", Table::Align::left});
  Table table(columns);
  for (const auto& run : runs) {
    const BenchResult& result = run.result;
    const auto share = peak_share(run, view);
    std::vector<std::string> cells{std::to_string(run.batch),
                                   std::to_string(run.threads),
                                   human_time(result.median()),
                                   percent(result.spread() / 2),
                                   run.predicted ? human_time(*run.predicted) : "-",
                                   fmt::format("{:.1f}", run.images_per_second()),
                                   share ? fmt::format("{:.0f} %", *share * 100) : "-",
                                   fmt::format("{:.2f}", run.speedup),
                                   human_bytes(result.planned),
                                   human_bytes(result.peak),
                                   off(double(result.peak.value()), double(result.planned.value()))};
    if (ways) cells.insert(cells.begin(), to_string(run.conv));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string beside_text(const std::vector<BesideDevice>& devices) {
  Table table({{"Device", Table::Align::left}, {"Framework", Table::Align::left}, {"Batch"}, {"Step"}, {"Epoch"}});
  for (const auto& device : devices)
    table.add({device.name, device.framework, std::to_string(device.batch), human_time(device.step),
               human_time(device.epoch)});
  return "\nPredicted for other machines, all their cores ('plimsoll place --accuracy': how far off that is):\n\n" +
         table.text();
}

std::string best_line(const BestThreads& best, const std::vector<BenchRun>& runs) {
  BenchRun row;
  row.batch = best.batch;
  row.conv = best.conv;
  const std::string label = step_label(row, runs);
  return fmt::format("Best number of threads{}: {} ({}).\n", label.empty() ? "" : ", " + label, best.threads,
                     why_best(best));
}

std::string notes(const std::vector<BenchRun>& runs, const BenchView& view) {
  const BenchResult& last = runs.back().result;
  std::string text = fmt::format("\n{} reorders a step.", last.reorders);
  if (!last.by_reference.empty()) text += fmt::format(" By reference maths, slowly: {}.", joined(last.by_reference));
  if (!last.conv_methods.empty()) text += "\n" + conv_text(last.conv_methods);
  text += "\n";
  for (const auto& best : best_threads(runs)) text += best_line(best, runs);
  if (view.peak)
    text += fmt::format(
        "Of peak: the step's operations, convolutions counted directly, of the {} that probe measured on all\n"
        "cores. Winograd and FFT need fewer operations than are counted, so they can pass 100 %.\n",
        human_rate(*view.peak));
  else text += "No prediction and no share of the peak: this machine was not measured yet (plimsoll probe).\n";
  return text;
}

}  // namespace

std::string step_label(const BenchRun& run, const std::vector<BenchRun>& runs) {
  std::string label;
  if (differ(runs, &BenchRun::batch)) label = fmt::format("batch {}", run.batch);
  if (differ(runs, &BenchRun::conv)) label += (label.empty() ? "" : ", ") + to_string(run.conv);
  return label;
}

std::string bench_text(const std::vector<BenchRun>& runs, const BenchView& view) {
  std::string text =
      fmt::format("{}, {}, f32\n\n{}", printable(view.model), choice_name(view.mode), table_text(runs, view));
  if (runs.empty()) return text;
  text += notes(runs, view);
  if (!view.beside.empty()) text += beside_text(view.beside);
  for (const auto& run : runs) {
    if (!run.result.profile) continue;
    text += fmt::format("\nWhere the time goes: batch {}, {} thread{}, --conv {}\n\n{}", run.batch, run.threads,
                        run.threads == 1 ? "" : "s", to_string(run.conv), profile_text(*run.result.profile));
    if (!run.declined.empty()) text += "\nKernels that were asked and could not:\n";
    for (const auto& group : run.declined) text += "  " + line_of(group) + "\n";
  }
  return text;
}

}  // namespace plimsoll
