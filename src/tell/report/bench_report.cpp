#include "tell/report/bench_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/conv_report.h"
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

std::optional<double> peak_share(const BenchRun& run, const BenchView& view) {
  if (!view.peak) return std::nullopt;
  return run.rate().per_second / view.peak->per_second;
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

std::string reason(const BestThreads& best) {
  if (best.threads == best.fastest) return "the fastest";
  return fmt::format("{} are {} faster, which the spread hides", best.fastest,
                     percent(best.slower / (1 + best.slower)));
}

std::string best_line(const BestThreads& best, const std::vector<BenchRun>& runs) {
  BenchRun row;
  row.batch = best.batch;
  row.conv = best.conv;
  const std::string label = step_label(row, runs);
  return fmt::format("Best number of threads{}: {} ({}).\n", label.empty() ? "" : ", " + label, best.threads,
                     reason(best));
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

Json run_json(const BenchRun& run, const BenchView& view) {
  const BenchResult& result = run.result;
  const auto share = peak_share(run, view);
  Json json{{"batch", run.batch},
            {"micro_batches", run.micro_batches},
            {"threads", run.threads},
            {"conv", to_string(run.conv)},
            {"step_seconds", result.median().value},
            {"fastest_step_seconds", result.seconds.front()},
            {"quartile_seconds", {result.quartile(1).value, result.quartile(3).value}},
            {"spread", result.spread()},
            {"steps", result.seconds.size()},
            {"images_per_second", run.images_per_second()},
            {"epoch_seconds", epoch_time(run, view).value},
            {"predicted_step_seconds", run.predicted ? Json(run.predicted->value) : Json()},
            {"flops", run.flops.value()},
            {"flops_per_second", run.rate().per_second},
            {"peak_share", share ? Json(*share) : Json()},
            {"speedup", run.speedup},
            {"peak_bytes", result.peak.value()},
            {"planned_bytes", result.planned.value()},
            {"reorders", result.reorders},
            {"conv_methods", conv_json(result.conv_methods)},
            {"by_reference", result.by_reference}};
  if (result.profile) json["profile"] = profile_json(*result.profile);
  return json;
}

}  // namespace

Seconds epoch_time(const BenchRun& run, const BenchView& view) {
  return Seconds{double(view.samples) / run.images_per_second()};
}

std::string step_label(const BenchRun& run, const std::vector<BenchRun>& runs) {
  std::string label;
  if (differ(runs, &BenchRun::batch)) label = fmt::format("batch {}", run.batch);
  if (differ(runs, &BenchRun::conv)) label += (label.empty() ? "" : ", ") + to_string(run.conv);
  return label;
}

std::string bench_text(const std::vector<BenchRun>& runs, const BenchView& view) {
  std::string text = fmt::format("{}, {}, f32\n\n{}", printable(view.model), view.mode, table_text(runs, view));
  if (runs.empty()) return text;
  text += notes(runs, view);
  if (!view.beside.empty()) text += beside_text(view.beside);
  for (const auto& run : runs)
    if (run.result.profile)
      text += fmt::format("\nWhere the time goes: batch {}, {} thread{}, --conv {}\n\n{}", run.batch, run.threads,
                          run.threads == 1 ? "" : "s", to_string(run.conv), profile_text(*run.result.profile));
  return text;
}

Json bench_json(const std::vector<BenchRun>& runs, const BenchView& view) {
  Json json{{"schema", "plimsoll.bench/1"},
            {"model", view.model},
            {"mode", view.mode},
            {"samples", view.samples},
            {"peak_flops_per_second", view.peak ? Json(view.peak->per_second) : Json()},
            {"runs", Json::array()},
            {"best", Json::array()},
            {"beside", Json::array()}};
  for (const auto& run : runs) json["runs"].push_back(run_json(run, view));
  for (const auto& best : best_threads(runs))
    json["best"].push_back({{"batch", best.batch},
                            {"conv", to_string(best.conv)},
                            {"threads", best.threads},
                            {"fastest", best.fastest},
                            {"why", reason(best)}});
  for (const auto& device : view.beside)
    json["beside"].push_back({{"device", device.name},
                              {"framework", device.framework},
                              {"batch", device.batch},
                              {"predicted_step_seconds", device.step.value},
                              {"predicted_epoch_seconds", device.epoch.value}});
  return json;
}

}  // namespace plimsoll
