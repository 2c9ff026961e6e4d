#include "tell/report/network_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/weight/lower_bound_text.h"
#include "tell/report/layer_bars.h"
#include "tell/report/load_bar.h"
#include "tell/report/plot.h"
#include "tell/report/residence_report.h"

namespace plimsoll {
namespace {

constexpr double kGib = 1.0 / double(int64_t{1} << 30), kMib = 1.0 / (1 << 20);
constexpr size_t kMostRanked = 20;

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

template <class Height>
std::vector<PlotPoint> timeline_points(const MemoryTimeline& timeline, Height height) {
  std::vector<PlotPoint> points;
  for (size_t i = 0; i < timeline.tensors.size(); ++i)
    points.push_back({double(i + 1), double(height(i).value()) * kMib});
  return points;
}

// The sum, and its parts as far as there are any, each on those below it.
void add_timeline(Plot& plot, const MemoryTimeline& timeline) {
  const bool scratch =
      std::any_of(timeline.workspace.begin(), timeline.workspace.end(), [](Bytes bytes) { return bytes > Bytes(0); });
  plot.lines.push_back({scratch ? "in all, with workspace" : "in all",
                        timeline_points(timeline, [&](size_t i) { return timeline.at(i); })});
  if (scratch)
    plot.lines.push_back({timeline.fixed > Bytes(0) ? "tensors and fixed" : "tensors",
                          timeline_points(timeline, [&](size_t i) { return timeline.fixed + timeline.tensors[i]; })});
  if (timeline.fixed > Bytes(0))
    plot.lines.push_back(
        {"fixed: context, allocator", timeline_points(timeline, [&](size_t) { return timeline.fixed; })});
}

Plot timeline_plot(const NetworkReport& report) {
  const FitAnswer& answer = report.fit->answer;
  Plot plot{fmt::format("Memory of a step, batch {}", with_commas(answer.load.batch)),
            "operation of the step",
            "MiB",
            {},
            true};
  add_timeline(plot, answer.load.timeline);
  // Far above, the line would press all else to the ground.
  if (plot.lines[0].points.empty() || answer.load.peak.expected.value() * 5 < answer.line.value()) return plot;
  const double line = double(answer.line.value()) * kMib, last = plot.lines[0].points.back().x;
  plot.lines.push_back(
      {fmt::format("load line, {}", human_bytes(answer.line)), {{1, line}, {last, line}}, false, true});
  return plot;
}

Plot curve_plot(const NetworkReport& report) {
  Plot plot{"Memory against batch, and devices' load lines", "samples per step", "GiB"};
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  double last = 1;
  for (const auto& curve : report.curves) {
    PlotLine needed{"needed by " + curve.framework, {}, true};
    for (const auto& point : curve.points) {
      needed.points.push_back({double(point.batch), double(point.peak.value()) * kGib});
      if (point.batch > int64_t(last) || plot.x_ticks.empty()) plot.x_ticks.push_back(double(point.batch));
      last = std::max(last, double(point.batch));
    }
    plot.lines.push_back(std::move(needed));
  }
  for (const auto& line : report.lines) {
    const double height = double(line.line.value()) * kGib;
    plot.lines.push_back({line.device, {{1, height}, {last, height}}});
  }
  return plot;
}

Plot roof_plot(const Roof& roof) {
  Plot plot{fmt::format("Roofline of {}", roof.device), "FLOPs a byte", "GFLOP/s, predicted"};
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  std::map<std::string, PlotLine> kinds;
  double least = 1, most = 1;
  for (const auto& point : roof.points) {
    if (point.intensity <= 0 || point.rate <= 0) continue;
    PlotLine& line = kinds.try_emplace(point.kind, PlotLine{point.kind, {}, true}).first->second;
    line.joined = false;
    line.points.push_back({point.intensity, point.rate / 1e9});
    least = std::min(least, point.intensity);
    most = std::max(most, point.intensity);
  }
  for (auto& [kind, line] : kinds) plot.lines.push_back(std::move(line));
  const double ridge = roof.peak.per_second / roof.bandwidth.per_second;
  plot.lines.push_back({"roof",
                        {{least, least * roof.bandwidth.per_second / 1e9},
                         {ridge, roof.peak.per_second / 1e9},
                         {std::max(most, ridge * 2), roof.peak.per_second / 1e9}},
                        false,
                        true});
  return plot;
}

HtmlTable breakdown_table(const FitAnswer& answer) {
  HtmlTable table{{"At the peak", "Memory", "Share"}, {}};
  const double all = double(std::max<int64_t>(answer.load.breakdown.total().value(), 1));
  for (const MemoryPart part : all_memory_parts()) {
    const Bytes bytes = answer.load.breakdown[part];
    if (bytes.value() > 0)
      table.rows.push_back({std::string(part_name(part)),
                            bytes_cell(bytes),
                            {fmt::format("{:.1f} %", double(bytes.value()) / all * 100), double(bytes.value())}});
  }
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
    return fmt::format("A batch of {} {} {}: {} of {} under the line.", with_commas(answer.load.batch),
                       !fits  ? "does not fit"
                       : open ? "may fit"
                              : "fits",
                       device, peak, human_bytes(answer.line));
  const std::string largest = with_commas(answer.largest), line = human_bytes(answer.line);
  if (open) return fmt::format("No batch above {} is under the line of {}: {} of {}.", largest, device, peak, line);
  return fmt::format("The largest batch under the line of {} is {}: {} of {}.", device, largest, peak, line);
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

void add_lead(HtmlPage& page, const NetworkReport& report) {
  const FitAnswer& answer = report.fit->answer;
  const FitQuestion& question = report.fit->question;
  ReportLead lead{memory_verdict(answer, device_of(report)), report.fit->fits(), {}, report.command};
  lead.assumed = {
      {"Device", device_of(report)},
      {"Batch", with_commas(answer.load.batch)},
      {"Largest batch", with_commas(answer.largest)},
      {"Number format", question.format.name},
      {"Optimizer", question.step.optimizer ? std::string(question.step.optimizer->name) : "none: inference"},
      {"Framework", std::string(name_of(question.framework))},
      {"Load line", fmt::format("{:.0f} %", question.load_line * 100)}};
  if (const JobPlacement* placed = placed_at(report); placed && placed->cost)
    lead.assumed.emplace_back("The whole job", human_dollars(*placed->cost));
  page.lead(lead);
  page.wide_picture(load_bar_svg(answer, question.memory));
  if (answer.uncounted.lower_bound()) page.strong(lower_bound_text(answer.uncounted));
}

void add_memory(HtmlPage& page, const NetworkReport& report) {
  page.heading("The load line");
  const FitAnswer& answer = report.fit->answer;
  page.pictures({plot_svg(timeline_plot(report)), plot_svg(curve_plot(report))});
  page.table(breakdown_table(answer));
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
        fmt::format("Each mark is an operation of the step: how often it uses a byte that it reads, and how fast it is "
                    "predicted to "
                    "run. Left of the bend memory is the limit ({}), right of it arithmetic ({}).",
                    human_rate(report.roof->bandwidth), human_rate(report.roof->peak)));
    page.pictures({plot_svg(roof_plot(*report.roof))});
  }
  if (report.fit->where) add_residence(page, *report.fit->where);
  page.heading("Which device to take");
  page.strong(!report.by_time.verdict.choice.empty() ? "Take " + report.by_time.verdict.choice + "."
              : report.devices_asked                 ? "Nothing that was asked about carries it."
                                                     : "Nothing in the catalog carries it.");
  if (report.weight.uncounted.lower_bound()) page.paragraph("Times, memory and money are lower bounds.");
  page.list(report.by_time.verdict.reasons);
  page.paragraph(fmt::format("{} samples an epoch, {} epoch{}. By time:", with_commas(report.by_time.job.samples),
                             with_commas(report.by_time.job.epochs), report.by_time.job.epochs == 1 ? "" : "s"));
  page.table(ranking_table(report.by_time.ranked, report.by_time.verdict));
  page.paragraph("By money:");
  page.table(ranking_table(report.by_money.ranked, report.by_time.verdict));
  page.list(report.notes);
}

}  // namespace plimsoll
