#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/ask/token_place_reply.h"
#include "plan/llm/token_accuracy.h"
#include "tell/report/colours.h"
#include "tell/report/device_plot.h"
#include "tell/report/load_drawing.h"
#include "tell/report/network_plots.h"
#include "tell/report/text_network_report.h"

namespace plimsoll {
namespace {

constexpr size_t kMostTrainedOn = 20;

struct TrainedText {
  TokenFitOutcome fit;
  TokenPlaceOutcome here;  // the first device that was asked for, with this very plan
  TokenPlaceOutcome all;   // of the catalog, each as it does best
  std::string command;
};

// Of the very step that fit answers for: what is not said is not chosen anew.
PlaceRequest same_step(const ReportRequest& request, const FitRequest& asked, const TokenFitOutcome& fit) {
  PlaceRequest place = request.place(asked.model, true);
  place.devices = {*asked.device};
  place.batch = fit.answer.batch;
  place.training.checkpointing = fit.answer.setup.checkpointing;
  place.training.shard = fit.answer.setup.shard;
  return place;
}

Result<TrainedText> ask_trained(const ReportRequest& request, const ModelRequest& model) {
  TrainedText text;
  const FitRequest fit = request.fit(model);
  PLIM_ASSIGN(text.fit, ask_token_fit(fit, true));
  text.fit.model = printable(last_name(text.fit.model), 100);
  PLIM_ASSIGN(text.here, ask_token_place(same_step(request, fit, text.fit)));
  PlaceRequest all = request.place(model, true);
  all.batch.reset();
  all.training.split.workers.reset();
  PLIM_ASSIGN(text.all, ask_token_place(all));
  text.command = report_command(request);
  return text;
}

std::vector<ReportNumber> numbers_of(const TrainedText& text) {
  const TokenFitAnswer& answer = text.fit.answer;
  const TokenAccuracy& memory = answer.setup.tuning.adapts() ? adapter_memory_accuracy() : full_memory_accuracy();
  const TokenAccuracy& speed = training_speed_accuracy();
  std::vector<ReportNumber> numbers{
      {"Largest micro-batch that fits", with_commas(answer.largest),
       fmt::format("sequence{} of {} tokens", answer.largest == 1 ? "" : "s", with_commas(answer.sequence)),
       off_text(memory.median_error, memory.rows)}};
  if (text.here.ranked.empty()) return numbers;
  const TokenPlacement& placed = text.here.ranked.front();
  const std::string off = off_text(speed.median_error, speed.rows), time = human_time(placed.total);
  numbers.push_back({"Speed", with_commas(int64_t(placed.time.tokens_per_second)), "tokens/s", off});
  if (placed.cost) numbers.push_back({"The whole job", human_dollars(*placed.cost), "in " + time, off});
  else numbers.push_back({"The whole job", time, "no price is known", off});
  return numbers;
}

ReportLead lead_of(const TrainedText& text, const std::vector<std::string>& said) {
  const TokenFitAnswer& answer = text.fit.answer;
  ReportLead lead{said.empty() ? "" : said.front(), text.fit.fits()};
  lead.stamp = lead.good ? "✓ It fits" : "✕ It does not fit";
  lead.asked = fmt::format("Training {}, {}, micro-batch {} of {} tokens, on {}", text.fit.model,
                           method_text(answer.setup.tuning), with_commas(answer.batch), with_commas(answer.sequence),
                           text.fit.device);
  lead.numbers = numbers_of(text);
  lead.picture = load_svg(load_of(text.fit));
  lead.narrow_picture = load_svg(load_of(text.fit), kNarrowLoad);
  lead.about_picture = about_load(text.fit.load_line, "at the fullest moment of a step");
  lead.assumed = {{"Device", text.fit.device},
                  {"What is trained", method_text(answer.setup.tuning)},
                  {"Micro-batch", with_commas(answer.batch)},
                  {"Sequence", fmt::format("{} tokens", with_commas(answer.sequence))},
                  {"Number format", text.fit.format},
                  {"Optimizer", std::string(answer.setup.optimizer->name)},
                  {"Attention", std::string(choice_name(answer.setup.attention))},
                  {"Checkpointing", std::string(choice_name(answer.setup.checkpointing))},
                  {"Load line", percent(text.fit.load_line)},
                  {"The job", fmt::format("{} tokens", with_commas(int64_t(text.here.tokens)))}};
  if (answer.setup.degrees.workers > 1) lead.assumed.emplace_back("Divided", plan_text(answer.setup));
  lead.command = text.command;
  return lead;
}

HtmlTable parts_table(const TokenFitOutcome& fit) {
  HtmlTable table{{"At the peak, on each device", "Memory", "Share"}, {}};
  const double all = double(std::max<int64_t>(1, fit.answer.memory.peak().value()));
  for (const auto& [name, bytes] : load_of(fit).parts)
    table.rows.push_back({std::string(part_title(name)),
                          {human_bytes(bytes), double(bytes.value())},
                          percent(double(bytes.value()) / all)});
  return table;
}

void add_alternatives(HtmlPage& page, const TokenFitAnswer& answer) {
  if (answer.alternatives.empty()) return;
  HtmlTable table{{"What would carry more", "Fits", "Needed", "Micro-batch", "Time of a token"}, {}};
  for (const auto& other : answer.alternatives)
    table.rows.push_back({other.change,
                          other.fits ? "yes" : "no",
                          {human_bytes(other.needed), double(other.needed.value())},
                          {with_commas(other.batch), double(other.batch)},
                          other.slowdown ? fmt::format("{:.2f} times", *other.slowdown) : "not predicted"});
  page.table(table);
}

HtmlTable ranking_table(const TokenPlaceOutcome& outcome, const std::string& asked) {
  HtmlTable table{{"Device", "Plan", "Micro-batch", "Needed", "Tokens/s", "Total", "Cost", "Bound by"}, {}};
  table.sortable = true;
  for (size_t i = 0; i < outcome.ranked.size(); ++i) {
    const TokenPlacement& p = outcome.ranked[i];
    const std::string& name = p.device.whole.name;
    if (i >= kMostTrainedOn && name != asked) continue;
    const std::string plan = plan_text(p.setup);
    table.rows.push_back({name +
                              (name == asked            ? " (asked for)"
                               : name == outcome.choice ? " (verdict)"
                                                        : "") +
                              (p.fits ? "" : ", does not fit"),
                          plan.empty() ? "one device" : plan,
                          {with_commas(p.batch), double(p.batch)},
                          {human_bytes(p.memory.needed()), double(p.memory.needed().value())},
                          {with_commas(int64_t(p.time.tokens_per_second)), p.time.tokens_per_second},
                          {human_time(p.total), p.total.value},
                          p.cost ? HtmlCell(human_dollars(*p.cost), p.cost->value) : HtmlCell("unknown", 1e300),
                          std::string(p.time.bound_by)});
  }
  return table;
}

void add_devices(HtmlPage& page, const TrainedText& text) {
  const TokenPlaceOutcome& all = text.all;
  page.heading("Which device to take");
  page.strong(all.choice.empty() ? "Nothing in the catalog carries it." : "Take " + all.choice + ".");
  page.list(all.reasons);
  std::vector<PlacedDevice> devices;
  for (const auto& p : all.ranked)
    devices.push_back(
        {p.device.whole.name, p.total.value, p.cost ? std::optional(p.cost->value) : std::nullopt, p.fits});
  page.pictures(
      {plot_svg(device_plot(devices, text.fit.device, all.choice, {"Time and money of the job", "time", "USD"}))});
  page.table(ranking_table(all, text.fit.device));
  page.list(all.notes);
}

}  // namespace

Result<Json> add_trained_text(HtmlPage& page, const ReportRequest& request, const ModelRequest& model) {
  PLIM_ASSIGN(const TrainedText text, ask_trained(request, model));
  std::vector<std::string> said = sentences(text.fit);
  page.lead(lead_of(text, said));
  page.heading("The load line");
  page.pictures({plot_svg(timeline_plot(text.fit))});
  page.table(parts_table(text.fit));
  add_alternatives(page, text.fit.answer);
  if (!said.empty()) said.erase(said.begin());
  page.list(said);
  if (text.fit.answer.step->kernels) {
    page.heading("Roofline");
    page.pictures({plot_svg(roof_plot(roof_of(text.fit)))});
    page.list({"A dot stands for the same operation of all blocks that are alike; its area is its share of the time.",
               "Norms, rotations, sums and copies have none: they are as fast as the memory."});
  }
  add_devices(page, text);
  return documents_of(text);
}

}  // namespace plimsoll
