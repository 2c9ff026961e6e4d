#include "tell/report/place_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/loading_report.h"
#include "tell/report/lower_bound_report.h"
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

std::vector<std::string> row(const Job& job, const JobPlacement& placement, const std::string& device) {
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
            cost_text(placement.cost),
            bound};
  return {device,
          framework,
          human_time(*placement.latency),
          batch,
          rate,
          human_time(placement.total),
          cost_text(placement.cost),
          cost_text(placement.per_million),
          bound};
}

Json placement_json(const JobPlacement& placement) {
  Json json{{"device", placement.device.whole.name},
            {"kind", name_of(placement.device.part.kind)},
            {"devices", placement.device.count},
            {"framework", name_of(placement.framework)},
            {"fits", placement.fits},
            {"batch", placement.batch},
            {"peak_bytes", placement.peak.value()},
            {"step_seconds", placement.step.value},
            {"epoch_seconds", placement.epoch.value},
            {"total_seconds", placement.total.value},
            {"samples_per_second", placement.samples_per_second},
            {"cost", placement.cost ? Json(placement.cost->value) : Json(nullptr)},
            {"cost_per_million", placement.per_million ? Json(placement.per_million->value) : Json(nullptr)},
            {"price", placement.price ? Json(placement.price->basis) : Json(nullptr)},
            {"bound_by", name_of(placement.bound_by)},
            {"stages", pace_json(placement.stages, placement.pace)}};
  if (placement.latency) json["latency_seconds"] = placement.latency->value;
  if (!placement.memory_known) json["memory"] = "not known: taken as enough";
  if (!placement.loading.empty()) json["loading"] = placement.loading;
  if (placement.decode_cores) {
    json["host_cores"] = placement.decode_cores->count;
    json["host_cores_basis"] = name_of(placement.decode_cores->basis);
  }
  if (!placement.why_not.empty()) json["why_not"] = placement.why_not;
  return json;
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

std::string place_text(const Job& job, const std::vector<JobPlacement>& ranked, const Verdict& verdict,
                       const PlaceView& view) {
  Table table = job.trains() ? training_table() : inference_table();
  const auto shown = shown_rows(ranked, view.top, verdict);
  for (const JobPlacement* placement : shown) table.add(row(job, *placement, device_text(*placement, verdict)));
  std::string text = heading(job, view) + table.text();
  if (ranked.size() > shown.size()) text += fmt::format("… and {} more (--top N)\n", ranked.size() - shown.size());
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

Json place_json(const Job& job, const std::vector<JobPlacement>& ranked, const Verdict& verdict,
                const PlaceView& view) {
  Json json{{"schema", "plimsoll.place/1"}, {"model", view.model}, {"mode", job.trains() ? "train" : "inference"}};
  json["dtype"] = job.format.name;
  json["samples"] = job.samples;
  json["epochs"] = job.epochs;
  json["load_line"] = job.load_line;
  add_lower_bound(json, view.uncounted);
  json["ranking"] = Json::array();
  for (const auto& placement : ranked) json["ranking"].push_back(placement_json(placement));
  json["verdict"] = {{"choice", verdict.choice}, {"kind", verdict.kind}, {"reasons", verdict.reasons}};
  if (verdict.speed_up) json["verdict"]["speed_up"] = *verdict.speed_up;
  if (verdict.price_ratio) json["verdict"]["price_ratio"] = *verdict.price_ratio;
  json["notes"] = view.notes;
  json["not_placed"] = view.not_placed;
  return json;
}

}  // namespace plimsoll
