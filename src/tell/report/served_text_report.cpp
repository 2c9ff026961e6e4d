#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/ask/fit_reply.h"
#include "plan/ask/place_reply.h"
#include "plan/ask/serving_fit_reply.h"
#include "plan/ask/serving_place_reply.h"
#include "tell/report/colours.h"
#include "tell/report/device_plot.h"
#include "tell/report/load_drawing.h"
#include "tell/report/text_network_report.h"

namespace plimsoll {
namespace {

constexpr size_t kMostServedBy = 20;

struct ServedText {
  ServingFitOutcome fit;
  ServingPlaceOutcome here, all;  // the first device that was asked for, and the catalog
  std::string command;
};

Result<ServedText> ask_served(const ReportRequest& request, const ModelRequest& model, const Network& network) {
  ServedText text;
  const FitRequest fit = request.fit(model);
  PLIM_ASSIGN(text.fit, ask_serving_fit(fit, network));
  text.fit.model = printable(last_name(text.fit.model), 100);
  PlaceRequest here = request.place(model, false);
  here.devices = {*fit.device};
  PLIM_ASSIGN(text.here, ask_serving_place(here, network));
  PlaceRequest all = request.place(model, true);
  all.training.split.workers.reset();
  PLIM_ASSIGN(text.all, ask_serving_place(all, network));
  text.command = report_command(request);
  return text;
}

// How far off such answers have been, by what was predicted.
std::string off_by(const ServingFitOutcome& fit, std::string_view about) {
  for (const auto& row : accuracy_of(*fit.question.setup.profile))
    if (row.what.find(about) != std::string_view::npos) return off_text(row.median_error, row.rows);
  return "nothing like it was measured yet";
}

std::string tokens_text(double tokens) {
  return tokens < 100 ? fmt::format("{:.3g}", tokens) : with_commas(int64_t(tokens));
}

std::vector<ReportNumber> numbers_of(const ServedText& text) {
  const ServingSetup& setup = text.fit.question.setup;
  std::vector<ReportNumber> numbers{{"Most sequences at once", with_commas(text.fit.answer.largest_concurrency),
                                     fmt::format("of {} tokens", with_commas(setup.context)),
                                     off_by(text.fit, "memory")}};
  if (text.here.ranked.empty()) return numbers;
  const ServingPlacement& placed = text.here.ranked.front();
  const std::string off = off_by(text.fit, "tokens");
  numbers.push_back({"Speed, all together", tokens_text(placed.time.all), "tokens/s", off});
  if (placed.per_million_out)
    numbers.push_back(
        {"Cost of a million tokens", human_dollars(*placed.per_million_out),
         placed.per_million_in ? fmt::format("written, {} read", human_dollars(*placed.per_million_in)) : "written",
         off});
  else numbers.push_back({"A token of one sequence", human_time(placed.time.per_token), "no price is known", off});
  return numbers;
}

ReportLead lead_of(const ServedText& text, const std::vector<std::string>& said) {
  const ServingSetup& setup = text.fit.question.setup;
  ReportLead lead{said.empty() ? "" : said.front(), text.fit.answer.fits};
  lead.stamp = lead.good ? "✓ It fits" : "✕ It does not fit";
  lead.asked = fmt::format("Serving {}, {} sequences of {} tokens at once, on {}", text.fit.model,
                           with_commas(setup.concurrency), with_commas(setup.context), text.fit.device);
  lead.numbers = numbers_of(text);
  lead.picture = load_svg(load_of(text.fit));
  lead.narrow_picture = load_svg(load_of(text.fit), kNarrowLoad);
  lead.about_picture = about_load(text.fit.question.load_line, "with every sequence at its full length");
  lead.assumed = {{"Device", text.fit.device},
                  {"Devices", with_commas(setup.devices)},
                  {"Served by", std::string(name_of(setup.profile->framework))},
                  {"Weights", std::string(setup.weights->name)},
                  {"Cache", std::string(setup.kv->name)},
                  {"Sequences at once", with_commas(setup.concurrency)},
                  {"Context", fmt::format("{} tokens", with_commas(setup.context))},
                  {"Prompt and answer",
                   fmt::format("{} and {} tokens", with_commas(text.here.prompt), with_commas(text.here.output))},
                  {"Load line", percent(text.fit.question.load_line)}};
  lead.command = text.command;
  return lead;
}

void add_memory(HtmlPage& page, const ServingFitOutcome& fit) {
  page.heading("The load line");
  HtmlTable parts{{fit.question.setup.devices > 1 ? "On each device" : "In the memory", "Memory", "Share"}, {}};
  const double all = double(std::max<int64_t>(1, fit.answer.memory.total().value()));
  for (const auto& [name, bytes] : load_of(fit).parts)
    parts.rows.push_back({std::string(part_title(name)),
                          {human_bytes(bytes), double(bytes.value())},
                          percent(double(bytes.value()) / all)});
  page.table(parts);
  if (fit.answer.alternatives.empty()) return;
  HtmlTable others{{"What would fit", "Sequences", "Context", "Memory", "Tokens/s of each"}, {}};
  for (const auto& other : fit.answer.alternatives)
    others.rows.push_back({other.change,
                           {with_commas(other.concurrency), double(other.concurrency)},
                           {with_commas(other.context), double(other.context)},
                           {human_bytes(other.total), double(other.total.value())},
                           other.per_token ? fmt::format("{:.1f}", 1 / other.per_token->value) : "not predicted"});
  page.table(others);
}

HtmlCell money_cell(const std::optional<Dollars>& dollars) {
  return dollars ? HtmlCell(human_dollars(*dollars), dollars->value) : HtmlCell("unknown", 1e300);
}

HtmlTable ranking_table(const ServingPlaceOutcome& outcome, const std::string& asked) {
  HtmlTable table{{"Device", "Served by", "First token", "A token", "Tokens/s each", "Tokens/s all", "Most", "1 M read",
                   "1 M written"},
                  {}};
  table.sortable = true;
  for (size_t i = 0; i < outcome.ranked.size(); ++i) {
    const ServingPlacement& p = outcome.ranked[i];
    const std::string& name = p.device.whole.name;
    if (i >= kMostServedBy && name != asked) continue;
    table.rows.push_back({name +
                              (name == asked                    ? " (asked for)"
                               : name == outcome.verdict.choice ? " (verdict)"
                                                                : "") +
                              (p.fit.fits ? "" : ", does not fit"),
                          std::string(name_of(p.setup.profile->framework)),
                          {human_time(p.time.first_token), p.time.first_token.value},
                          {human_time(p.time.per_token), p.time.per_token.value},
                          {fmt::format("{:.1f}", p.time.one), p.time.one},
                          {tokens_text(p.time.all), p.time.all},
                          p.memory_known
                              ? HtmlCell(with_commas(p.fit.largest_concurrency), double(p.fit.largest_concurrency))
                              : HtmlCell("unknown"),
                          money_cell(p.per_million_in),
                          money_cell(p.per_million_out)});
  }
  return table;
}

void add_devices(HtmlPage& page, const ServedText& text) {
  const ServingPlaceOutcome& all = text.all;
  page.heading("Which device to take");
  page.strong(all.verdict.choice.empty() ? "Nothing in the catalog carries it." : "Take " + all.verdict.choice + ".");
  page.list(all.verdict.reasons);
  std::vector<PlacedDevice> devices;
  for (const auto& p : all.ranked)
    devices.push_back({p.device.whole.name, p.time.per_token.value,
                       p.per_million_out ? std::optional(p.per_million_out->value) : std::nullopt, p.fit.fits});
  page.pictures({plot_svg(device_plot(devices, text.fit.device, all.verdict.choice,
                                      {"Time of a token, money of a million", "time of a token", "USD"}))});
  page.table(ranking_table(all, text.fit.device));
  page.list(all.notes);
}

}  // namespace

Result<Json> add_served_text(HtmlPage& page, const ReportRequest& request, const ModelRequest& model) {
  PLIM_TRY(check(request.fit(model)));
  PLIM_ASSIGN(const Network network, load_network(model));
  PLIM_ASSIGN(const ServedText text, ask_served(request, model, network));
  std::vector<std::string> said = sentences(text.fit);
  page.lead(lead_of(text, said));
  add_memory(page, text.fit);
  if (!said.empty()) said.erase(said.begin());
  page.list(said);
  add_devices(page, text);
  return documents_of(text);
}

}  // namespace plimsoll
