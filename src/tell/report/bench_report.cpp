#include "tell/report/bench_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/conv_report.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

double images_per_second(const BenchRun& run) { return double(run.batch) / run.result.median().value; }

std::string off(double measured, double said) { return fmt::format("{:+.1f} %", (measured / said - 1) * 100); }

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string bench_text(const std::vector<BenchRun>& runs, const BenchView& view) {
  Table table({{"Batch"},
               {"Threads"},
               {"Step"},
               {"±"},
               {"Predicted"},
               {"Images/s"},
               {"Speed-up"},
               {"Planned"},
               {"Peak memory"},
               {"off"}});
  bool unknown = false;
  std::string slow;
  for (const auto& run : runs) {
    const BenchResult& result = run.result;
    unknown = unknown || !run.predicted;
    slow = joined(result.by_reference);
    table.add({std::to_string(run.batch), std::to_string(run.threads), human_time(result.median()),
               percent(result.spread() / 2), run.predicted ? human_time(*run.predicted) : "-",
               fmt::format("{:.1f}", images_per_second(run)), run.speedup ? fmt::format("{:.2f}", *run.speedup) : "-",
               human_bytes(result.planned), human_bytes(result.peak),
               off(double(result.peak.value()), double(result.planned.value()))});
  }
  std::string text = fmt::format("{}, {}, f32\n\n{}", printable(view.model), view.mode, table.text());
  if (!runs.empty()) text += fmt::format("\n{} reorders a step.", runs.back().result.reorders);
  if (!slow.empty()) text += fmt::format(" By reference maths, slowly: {}.", slow);
  if (!runs.empty() && !runs.back().result.conv_methods.empty())
    text += "\n" + conv_text(runs.back().result.conv_methods);
  if (unknown) text += "\nNo prediction: this machine was not measured yet (plimsoll probe).";
  return text + "\n";
}

Json bench_json(const std::vector<BenchRun>& runs, const BenchView& view) {
  Json json{{"schema", "plimsoll.bench/1"}, {"model", view.model}, {"mode", view.mode}, {"runs", Json::array()}};
  for (const auto& run : runs) {
    const BenchResult& result = run.result;
    json["runs"].push_back({{"batch", run.batch},
                            {"threads", run.threads},
                            {"step_seconds", result.median().value},
                            {"fastest_step_seconds", result.seconds.front()},
                            {"spread", result.spread()},
                            {"steps", result.seconds.size()},
                            {"images_per_second", images_per_second(run)},
                            {"predicted_step_seconds", run.predicted ? Json(run.predicted->value) : Json()},
                            {"speedup", run.speedup ? Json(*run.speedup) : Json()},
                            {"peak_bytes", result.peak.value()},
                            {"planned_bytes", result.planned.value()},
                            {"reorders", result.reorders},
                            {"conv_methods", conv_json(result.conv_methods)},
                            {"by_reference", result.by_reference}});
  }
  return json;
}

}  // namespace plimsoll
