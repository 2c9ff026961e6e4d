#include "tell/report/run_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "run/measure/run_log.h"
#include "run/train/run_directory.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostDrawn = 20;  // in a drawn confusion matrix

std::optional<double> number(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

HtmlCell percent_cell(std::optional<double> share) {
  return share ? HtmlCell(fmt::format("{:.2f} %", *share * 100), *share) : HtmlCell("");
}

std::optional<double> best_of(const std::vector<Json>& epochs, const char* field) {
  std::optional<double> best;
  for (const auto& epoch : epochs)
    if (const auto value = number(epoch, field)) best = std::max(best.value_or(*value), *value);
  return best;
}

std::optional<double> mean_speed(const std::vector<Json>& epochs) {
  double samples = 0, seconds = 0;
  for (const auto& epoch : epochs) {
    const auto rate = number(epoch, "images_per_second"), time = number(epoch, "seconds");
    if (!rate || !time) continue;
    samples += *rate * *time;
    seconds += *time;
  }
  return seconds > 0 ? std::optional(samples / seconds) : std::nullopt;
}

std::string flag_of(const RunSummary& run, const char* name, const char* usual) {
  const auto flags = run.config.find("flags");
  if (flags == run.config.end() || !flags->is_object()) return usual;
  const auto flag = flags->find(name);
  return flag != flags->end() && flag->is_string() ? flag->get<std::string>() : usual;
}

HtmlTable comparison(const std::vector<RunSummary>& runs) {
  HtmlTable table{{"Run", "Network", "Data", "Batch", "Optimizer", "Rate", "Epochs", "Train accuracy",
                   "Best validation", "Test accuracy", "Images/s"},
                  {}};
  table.sortable = true;
  for (const auto& run : runs) {
    const auto epochs = run.events("epoch"), tests = run.events("test");
    const auto batch = number(run.config, "batch"), speed = mean_speed(epochs);
    table.rows.push_back({run.logged.name, printable(run.text("model"), 60), printable(flag_of(run, "--data", ""), 60),
                          batch ? HtmlCell(with_commas(int64_t(*batch)), *batch) : HtmlCell(""),
                          printable(flag_of(run, "--optimizer", "momentum"), 20),
                          printable(flag_of(run, "--lr", "usual"), 20), with_commas(int64_t(epochs.size())),
                          percent_cell(epochs.empty() ? std::nullopt : number(epochs.back(), "train_accuracy")),
                          percent_cell(best_of(epochs, "val_accuracy")),
                          percent_cell(tests.empty() ? std::nullopt : number(tests.back(), "accuracy")),
                          speed ? HtmlCell(fmt::format("{:.1f}", *speed), *speed) : HtmlCell("")});
  }
  return table;
}

std::string class_name(const RunSummary& run, int64_t label) {
  return size_t(label) < run.class_names.size() ? printable(run.class_names[size_t(label)], 40) : std::to_string(label);
}

HtmlTable confusion_table(const RunSummary& run, const Evaluation& evaluation) {
  const int64_t shown = std::min(evaluation.classes(), kMostDrawn);
  HtmlTable table{{"Is, below; taken for, right"}, {}};
  for (int64_t c = 0; c < shown; ++c) table.columns.push_back(class_name(run, c));
  for (int64_t row = 0; row < shown; ++row) {
    std::vector<HtmlCell> cells{class_name(run, row)};
    for (int64_t c = 0; c < shown; ++c)
      cells.emplace_back(with_commas(evaluation.confusion[size_t(row * evaluation.classes() + c)]));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

void add_judged(HtmlPage& page, const RunSummary& run) {
  const JudgedRun& judged = *run.judged;
  page.heading(run.logged.name + ": what is taken for what");
  page.paragraph(fmt::format("{} samples of the {} part, {:.2f} % right.", with_commas(judged.evaluation.all.samples),
                             judged.part, judged.evaluation.all.accuracy() * 100));
  if (!judged.evaluation.confusion.empty()) page.table(confusion_table(run, judged.evaluation));
  const auto& worst = judged.evaluation.worst;
  if (worst.empty()) return;
  page.paragraph("The worst mistakes, those with the highest loss:");
  HtmlTable table{{"", "Is", "Taken for", "Loss", "Sample"}, {}};
  for (size_t i = 0; i < worst.size(); ++i)
    table.rows.push_back({HtmlCell::picture(judged.worst[i].png, judged.worst[i].png.empty() ? "" : "the sample"),
                          class_name(run, worst[i].label),
                          class_name(run, worst[i].chosen),
                          {fmt::format("{:.3f}", worst[i].loss), worst[i].loss},
                          printable(judged.worst[i].name, 80)});
  page.table(table);
}

std::vector<LoggedRun> logged_of(const std::vector<RunSummary>& runs) {
  std::vector<LoggedRun> logged;
  for (const auto& run : runs) logged.push_back(run.logged);
  return logged;
}

Json judged_json(const RunSummary& run) {
  const JudgedRun& judged = *run.judged;
  Json json{{"part", judged.part},
            {"samples", judged.evaluation.all.samples},
            {"accuracy", judged.evaluation.all.accuracy()},
            {"loss", judged.evaluation.all.loss()},
            {"confusion", judged.evaluation.confusion},
            {"worst", Json::array()}};
  for (size_t i = 0; i < judged.worst.size(); ++i) {
    const Mistake& mistake = judged.evaluation.worst[i];
    json["worst"].push_back({{"index", mistake.index},
                             {"sample", judged.worst[i].name},
                             {"label", class_name(run, mistake.label)},
                             {"chosen", class_name(run, mistake.chosen)},
                             {"loss", mistake.loss}});
  }
  return json;
}

}  // namespace

std::string RunSummary::text(const char* field) const {
  const auto found = config.find(field);
  return found != config.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<Json> RunSummary::events(std::string_view kind) const {
  std::vector<Json> found;
  for (const auto& entry : logged.log)
    if (const auto event = entry.find("event"); event != entry.end() && *event == kind) found.push_back(entry);
  return found;
}

Result<RunSummary> read_run(const std::string& folder) {
  RunSummary run;
  run.path = folder;
  PLIM_ASSIGN(run.config, read_config(folder));
  PLIM_ASSIGN(run.logged.log, read_run_log(folder + "/" + std::string(kLogFile)));
  run.logged.name = printable(folder.substr(folder.find_last_of('/', folder.size() - 2) + 1), 40);
  if (const auto planned = run.config.find("planned_bytes");
      planned != run.config.end() && planned->is_number_integer() && planned->get<int64_t>() >= 0)
    run.logged.planned = Bytes(planned->get<int64_t>());
  if (const auto names = run.config.find("class_names"); names != run.config.end() && names->is_array())
    for (const auto& name : *names)
      if (name.is_string()) run.class_names.push_back(name.get<std::string>());
  return run;
}

std::vector<Plot> epoch_plots(const std::vector<RunSummary>& runs) { return epoch_plots(logged_of(runs)); }

void add_runs(HtmlPage& page, const std::vector<RunSummary>& runs) {
  page.heading(runs.size() == 1 ? "The run" : "The runs, compared");
  page.table(comparison(runs));
  std::vector<std::string> pictures;
  for (const auto& plot : run_plots(logged_of(runs))) pictures.push_back(plot_svg(plot));
  page.pictures(pictures);
  for (const auto& run : runs) {
    if (run.judged) add_judged(page, run);
    else if (!run.not_judged.empty()) page.paragraph(fmt::format("{}: not judged: {}", run.path, run.not_judged));
  }
}

Json run_json(const RunSummary& run) {
  return {{"run_dir", run.path},
          {"config", run.config},
          {"log", run.logged.log},
          {"judged", run.judged ? judged_json(run) : Json()},
          {"not_judged", run.not_judged.empty() ? Json() : Json(run.not_judged)}};
}

}  // namespace plimsoll
