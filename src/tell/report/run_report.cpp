#include "tell/report/run_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/write_file.h"
#include "run/measure/run_log.h"
#include "tell/report/plot.h"

namespace plimsoll {
namespace {

constexpr const char* kStyle =
    "body{font:15px/1.5 sans-serif;color:#222;max-width:1180px;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .9em;border-bottom:1px solid "
    "#ddd;text-align:right}"
    "td:first-child,th:first-child{text-align:left}.plots{display:flex;flex-wrap:wrap;gap:1.2em}pre{background:#f6f6f4;"
    "padding:.8em;overflow:auto}";

// The numbers of one field against another, over all lines of an event.
PlotLine line_of(const std::vector<Json>& log, std::string_view event, const char* x, const char* y, std::string name,
                 bool marks = false, double scale = 1) {
  PlotLine line{std::move(name), {}, marks};
  for (const auto& entry : log) {
    const auto kind = entry.find("event"), at = entry.find(x), value = entry.find(y);
    if (kind == entry.end() || *kind != event || at == entry.end() || value == entry.end()) continue;
    if (at->is_number() && value->is_number()) line.points.push_back({at->get<double>(), value->get<double>() * scale});
  }
  return line;
}

// A resumed run counts its seconds anew: each stretch goes behind the one before.
PlotLine over_time(const std::vector<Json>& log, const char* y, std::string name, double scale = 1) {
  PlotLine line = line_of(log, "utilisation", "at", y, std::move(name), false, scale);
  double offset = 0, before = 0;
  for (auto& point : line.points) {
    if (point.x + offset < before) offset = before;
    before = point.x += offset;
  }
  return line;
}

PlotLine planned_line(const PlotLine& measured, Bytes planned, double scale) {
  if (measured.points.empty()) return {"planned", {}};
  const double height = double(planned.value()) * scale;
  return {"planned", {{measured.points.front().x, height}, {measured.points.back().x, height}}};
}

std::vector<Plot> plots_of(const std::vector<Json>& log, Bytes planned) {
  constexpr double kMib = 1.0 / (1 << 20);
  const PlotLine memory = over_time(log, "resident_bytes", "resident", kMib);
  return {{"Loss",
           "epoch",
           "loss",
           {line_of(log, "epoch", "epoch", "train_loss", "training", true),
            line_of(log, "epoch", "epoch", "val_loss", "validation", true)},
           false,
           true},
          {"Accuracy",
           "epoch",
           "share right",
           {line_of(log, "epoch", "epoch", "train_accuracy", "training", true),
            line_of(log, "epoch", "epoch", "val_accuracy", "validation", true)},
           false,
           true},
          {"Loss of each step", "step", "loss", {line_of(log, "step", "step", "loss", "loss")}},
          {"Learning rate", "step", "rate", {line_of(log, "step", "step", "learning_rate", "rate")}, true},
          {"Speed", "step", "images/s", {line_of(log, "step", "step", "images_per_second", "speed")}, true},
          {"Processor load", "seconds", "cores busy", {over_time(log, "cores", "this run")}, true},
          {"Memory", "seconds", "MiB resident", {memory, planned_line(memory, planned, kMib)}, true}};
}

std::string row(const std::vector<std::string>& cells, const char* tag) {
  std::string html = "<tr>";
  for (const auto& cell : cells) html += fmt::format("<{0}>{1}</{0}>", tag, html_escaped(cell));
  return html + "</tr>\n";
}

std::string epochs_table(const TrainingOutcome& outcome) {
  std::string html =
      "<table>" +
      row({"Epoch", "Loss", "Accuracy", "Validation loss", "Validation accuracy", "Time", "Images/s"}, "th");
  const auto share = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.2f} %", 100 * *value) : "";
  };
  for (const auto& epoch : outcome.state.epochs)
    html += row({fmt::format("{}{}", epoch.epoch, epoch.complete ? "" : " (cut short)"),
                 fmt::format("{:.4f}", epoch.train_loss), share(epoch.train_accuracy),
                 epoch.val_loss ? fmt::format("{:.4f}", *epoch.val_loss) : "", share(epoch.val_accuracy),
                 human_time(epoch.seconds), with_commas(int64_t(epoch.images_per_second))},
                "td");
  return html + "</table>\n";
}

}  // namespace

std::string run_report_html(const std::vector<Json>& log, const TrainingOutlook& outlook,
                            const TrainingResult& result) {
  const std::string title = fmt::format("{} on {}", printable(outlook.model, 100), printable(outlook.data, 100));
  std::string html = fmt::format(
      "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{0}</title><style>{1}</style></head><body>"
      "<h1>{0}</h1>\n<pre>{2}</pre>\n",
      html_escaped(title), kStyle, html_escaped(outlook_text(outlook)));
  if (result.outcome.test)
    html += fmt::format("<p><b>Test accuracy {:.2f} %</b>, loss {:.4f}{}.</p>\n", 100 * result.outcome.test->accuracy(),
                        result.outcome.test->loss(),
                        result.outcome.restored_best
                            ? fmt::format(", with the weights of epoch {}", result.outcome.state.best_epoch)
                            : "");
  html +=
      fmt::format("<p>Ended: {}. {}</p>\n", name_of(result.outcome.end), html_escaped(printable(result.outcome.why)));
  html += "<h2>Planned against measured</h2><table>" + row({"", "Planned", "Measured"}, "th");
  for (const auto& planned : planned_against_measured(outlook, result))
    html += row({planned.what, planned.planned, planned.measured}, "td");
  html += "</table>\n<h2>Epochs</h2>" + epochs_table(result.outcome) + "<div class='plots'>\n";
  for (const auto& plot : plots_of(log, outlook.planned)) html += plot_svg(plot);
  return html + "</div></body></html>\n";
}

Status write_run_report(const RunDirectory& directory, const TrainingOutlook& outlook, const TrainingResult& result) {
  PLIM_ASSIGN(const auto log, read_run_log(directory.file(kLogFile)));
  return write_whole_file(directory.file(kReportFile), run_report_html(log, outlook, result));
}

}  // namespace plimsoll
