#include "tell/report/network_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/memory/framework_accuracy.h"
#include "plan/weight/lower_bound_text.h"
#include "tell/report/colours.h"
#include "tell/report/layer_bars.h"
#include "tell/report/load_drawing.h"
#include "tell/report/network_plots.h"
#include "tell/report/residence_report.h"

namespace plimsoll {
namespace {

constexpr size_t kMostRanked = 20;
constexpr const char* kNotMeasured = "nothing like it was measured yet";

HtmlCell count_cell(int64_t value) { return {with_commas(value), double(value)}; }
HtmlCell bytes_cell(Bytes bytes) { return {human_bytes(bytes), double(bytes.value())}; }

std::string facts_of(const Weight& weight) {
  return fmt::format(
      "{}{} parameters ({}), {} multiply-accumulates and {} FLOPs forward for a batch of {}, {} FLOPs in a training "
      "step.",
      weight.uncounted.lower_bound() ? "At least " : "", with_commas(weight.params.value()),
      human_bytes(weight.param_bytes), with_commas(weight.macs.value()), with_commas(weight.flops.value()),
      with_commas(weight.batch), with_commas(weight.train_flops.value()));
}

HtmlTable layer_table(const Weight& weight) {
  HtmlTable table{{"Layer", "Operation", "Output", "Parameters", "MACs", "FLOPs", "Activations", "FLOPs a byte"}, {}};
  table.sortable = table.folded = true;
  table.title = fmt::format("All {} layers, sortable", with_commas(int64_t(weight.layers.size())));
  for (const auto& layer : weight.layers)
    table.rows.push_back({printable(layer.name, 100),
                          layer.op,
                          layer.output ? layer.output->text() : "",
                          count_cell(layer.params.value()),
                          count_cell(layer.macs.value()),
                          count_cell(layer.flops.value()),
                          bytes_cell(layer.activation_bytes),
                          {fmt::format("{:.1f}", layer.intensity()), layer.intensity()}});
  return table;
}

HtmlTable breakdown_table(const FitOutcome& fit) {
  HtmlTable table{{"At the peak", "Memory", "Share"}, {}};
  const double all = double(std::max<int64_t>(fit.answer.load.peak.expected.value(), 1));
  for (const auto& [name, bytes] : load_of(fit).parts)
    table.rows.push_back({std::string(part_title(name)),
                          bytes_cell(bytes),
                          {fmt::format("{:.1f} %", double(bytes.value()) / all * 100), double(bytes.value())}});
  return table;
}

HtmlTable ranking_table(const std::vector<JobPlacement>& ranked, const Verdict& verdict) {
  HtmlTable table{{"Device", "Fits", "Batch", "Step", "Epoch", "Total", "Cost", "Bound by"}, {}};
  table.sortable = true;
  for (const JobPlacement* shown : shown_rows(ranked, kMostRanked, verdict)) {
    const JobPlacement& placed = *shown;
    table.rows.push_back(
        {device_text(placed, verdict),
         placed.fits ? "yes" : "no",
         count_cell(placed.batch),
         {human_time(placed.step), placed.step.value},
         {human_time(placed.epoch), placed.epoch.value},
         {human_time(placed.total), placed.total.value},
         placed.cost ? HtmlCell(human_dollars(*placed.cost), placed.cost->value) : HtmlCell("unknown", 1e300),
         std::string(name_of(placed.bound_by))});
  }
  return table;
}

std::string memory_verdict(const FitAnswer& answer, const std::string& device) {
  const bool fits = answer.asked ? answer.fits : answer.largest > 0, open = answer.uncounted.lower_bound();
  const std::string peak = (open ? "at least " : "") + human_bytes(answer.load.needed);  // which decides
  if (answer.asked)
    return fmt::format("A batch of {} {} {}: it needs {}, and the load line is at {}.", with_commas(answer.load.batch),
                       !fits  ? "does not fit"
                       : open ? "may fit"
                              : "fits",
                       device, peak, human_bytes(answer.line));
  const std::string largest = with_commas(answer.largest), line = human_bytes(answer.line);
  const std::string standing = fmt::format("it needs {}, and the load line is at {}", peak, line);
  if (open) return fmt::format("No batch above {} is under the line of {}: {}.", largest, device, standing);
  return fmt::format("The largest batch under the line of {} is {}: {}.", device, largest, standing);
}

std::string device_of(const NetworkReport& report) {
  return report.fit->view.device == "this" ? "this machine" : report.fit->view.device;
}

// Where the first device that was asked for stands in the ranking.
const JobPlacement* placed_at(const NetworkReport& report) {
  for (const auto& placed : report.by_time.ranked)
    if (placed.device.whole.name == report.fit->view.device) return &placed;
  return nullptr;
}

// How far off the memory of such a framework has been; the notes say why where it is not known.
std::string memory_off(const NetworkReport& report) {
  const FitOutcome& fit = *report.fit;
  if (fit.answer.uncounted.lower_bound()) return "a lower bound: not everything is counted";
  if (fit.question.framework == Framework::plimsoll) return "our own plan: what it says is what a run takes";
  const auto accuracy = accuracy_of(fit.question.framework);
  const auto& notes = fit.answer.notes;
  const bool measured = std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("median error") != std::string::npos;
  });
  return accuracy && measured ? off_text(accuracy->median_error, accuracy->rows) : kNotMeasured;
}

std::vector<ReportNumber> numbers_of(const NetworkReport& report) {
  const FitAnswer& answer = report.fit->answer;
  std::vector<ReportNumber> numbers{{answer.uncounted.lower_bound() ? "No batch above" : "Largest batch that fits",
                                     with_commas(answer.largest), report.samples, memory_off(report)}};
  const JobPlacement* placed = placed_at(report);
  if (!placed) return numbers;
  const std::string off = placed->accuracy ? off_text(placed->accuracy->median_error, placed->accuracy->rows)
                          : answer.uncounted.lower_bound() ? "a lower bound: not everything is counted"
                                                           : kNotMeasured;
  const double speed = placed->samples_per_second;
  numbers.push_back({"Speed", speed < 100 ? fmt::format("{:.3g}", speed) : with_commas(std::llround(speed)),
                     report.samples + "/s", off});
  const std::string time = human_time(placed->total);
  if (placed->cost) numbers.push_back({"The whole job", human_dollars(*placed->cost), "in " + time, off});
  else numbers.push_back({"The whole job", time, "no price is known", off});
  return numbers;
}

void add_lead(HtmlPage& page, const NetworkReport& report) {
  const FitAnswer& answer = report.fit->answer;
  const FitQuestion& question = report.fit->question;
  ReportLead lead{memory_verdict(answer, device_of(report)), report.fit->fits()};
  lead.stamp = !lead.good ? "✕ It does not fit" : answer.uncounted.lower_bound() ? "? It may fit" : "✓ It fits";
  lead.asked = fmt::format("{} {}, batch {}, on {}", question.step.optimizer ? "Training" : "Running", report.model,
                           with_commas(answer.load.batch), device_of(report));
  lead.numbers = numbers_of(report);
  lead.picture = load_svg(load_of(*report.fit));
  lead.narrow_picture = load_svg(load_of(*report.fit), kNarrowLoad);
  lead.about_picture = about_load(question.load_line, "at the fullest moment of a step");
  lead.assumed = {
      {"Device", device_of(report)},
      {"Batch", with_commas(answer.load.batch)},
      {"Number format", question.format.name},
      {"Optimizer", question.step.optimizer ? std::string(question.step.optimizer->name) : "none: inference"},
      {"Framework", std::string(name_of(question.framework))},
      {"Load line", fmt::format("{:.0f} %", question.load_line * 100)},
      {"The job", fmt::format("{} {} × {} epoch{}", with_commas(report.by_time.job.samples), report.samples,
                              with_commas(report.by_time.job.epochs), report.by_time.job.epochs == 1 ? "" : "s")}};
  lead.command = report.command;
  page.lead(lead);
  if (answer.uncounted.lower_bound()) page.strong(lower_bound_text(answer.uncounted));
}

void add_memory(HtmlPage& page, const NetworkReport& report) {
  page.heading("The load line");
  const FitAnswer& answer = report.fit->answer;
  page.pictures({plot_svg(timeline_plot(report)), plot_svg(curve_plot(report))});
  page.table(breakdown_table(*report.fit));
  if (answer.alternatives.empty()) return;
  HtmlTable table{{"What would carry more", "Batch", "Time of a sample"}, {}};
  for (const auto& other : answer.alternatives)
    table.rows.push_back({other.change, count_cell(other.batch),
                          other.slowdown ? fmt::format("{:.2f} times", *other.slowdown) : "not predicted"});
  page.table(table);
}

void add_residence(HtmlPage& page, const Residence& residence) {
  page.heading("What is where, and what moves cost");
  HtmlTable table{{"What", "Disk", "RAM", "Cache", "Device"}, {}};
  const auto cell = [](const std::optional<Bytes>& bytes) { return bytes ? bytes_cell(*bytes) : HtmlCell(""); };
  for (const auto& resident : residence.residents)
    table.rows.push_back(
        {resident.what, cell(resident.disk), cell(resident.ram), cell(resident.cache), cell(resident.device)});
  page.table(table);
  HtmlTable moves{{"Move", "From", "To", "Over", "Bytes", "Time", "How often"}, {}};
  for (const auto& move : residence.moves)
    moves.rows.push_back({move.what, std::string(name_of(move.from)), std::string(name_of(move.to)), move.over,
                          bytes_cell(move.bytes), move.time ? human_time(*move.time) : "unknown",
                          move.every_step ? "every step" : "once"});
  page.table(moves);
  page.list(residence.remarks);
}

}  // namespace

void add_network(HtmlPage& page, const NetworkReport& report) {
  add_lead(page, report);
  page.heading(report.model + ": what it weighs");
  if (report.weight.uncounted.lower_bound()) page.strong(lower_bound_text(report.weight.uncounted));
  page.paragraph(facts_of(report.weight));
  page.wide_picture(layer_bars_svg(report.weight));
  page.table(layer_table(report.weight));
  add_memory(page, report);
  if (report.roof) {
    page.heading("Roofline");
    page.paragraph(
        fmt::format("Each dot is an operation of the step: how often it uses a byte that it moves, and how fast it is "
                    "predicted to run; its area is its share of the time. Left of the ridge memory is the limit ({}), "
                    "right of it arithmetic ({}).",
                    human_rate(report.roof->bandwidth), human_rate(report.roof->peak)));
    page.pictures({plot_svg(roof_plot(*report.roof))});
    if (const size_t above = above_roof(*report.roof); above > 0)
      page.paragraph(fmt::format(
          "{} {} above the roof: operations are counted as the textbook has them, and Winograd or FFT convolutions do "
          "fewer; bytes that stay in a cache are not moved again.",
          above, above == 1 ? "dot is" : "dots are"));
  }
  if (report.fit->where) add_residence(page, *report.fit->where);
  page.heading("Which device to take");
  page.strong(!report.by_time.verdict.choice.empty() ? "Take " + report.by_time.verdict.choice + "."
              : report.devices_asked                 ? "Nothing that was asked about carries it."
                                                     : "Nothing in the catalog carries it.");
  if (report.weight.uncounted.lower_bound()) page.paragraph("Times, memory and money are lower bounds.");
  page.list(report.by_time.verdict.reasons);
  page.pictures({plot_svg(placement_plot(report))});
  page.paragraph(fmt::format("{} {} an epoch, {} epoch{}. By time:", with_commas(report.by_time.job.samples),
                             report.samples, with_commas(report.by_time.job.epochs),
                             report.by_time.job.epochs == 1 ? "" : "s"));
  page.table(ranking_table(report.by_time.ranked, report.by_time.verdict));
  page.paragraph("By money:");
  page.table(ranking_table(report.by_money.ranked, report.by_time.verdict));
  page.list(report.notes);
}

}  // namespace plimsoll
