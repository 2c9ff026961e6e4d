#include "tell/report/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/size_text.h"
#include "base/text.h"
#include "run/measure/run_log.h"
#include "run/train/run_directory.h"
#include "tell/report/kept_run.h"

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

// Of runs that do not learn from the same: samples.
std::string samples_of(const std::vector<RunSummary>& runs) {
  const std::string& first = runs.front().logged.samples;
  const bool same =
      std::all_of(runs.begin(), runs.end(), [&](const RunSummary& run) { return run.logged.samples == first; });
  return same ? first : "samples";
}

HtmlTable comparison(const std::vector<RunSummary>& runs) {
  HtmlTable table{{"Run", "Network", "Data", "Batch", "Optimizer", "Rate", "Epochs", "Train accuracy",
                   "Best validation", "Test accuracy", speed_heading(samples_of(runs))},
                  {}};
  table.sortable = true;
  for (const auto& run : runs) {
    const auto epochs = run.events("epoch"), tests = run.events("test");
    const auto batch = number(run.config, "batch"), speed = mean_speed(epochs);
    table.rows.push_back({run.logged.name, printable(last_name(run.text("model")), 60),
                          kept_name(run.config, "data", ""),
                          batch ? HtmlCell(with_commas(int64_t(*batch)), *batch) : HtmlCell(""),
                          kept_text(run.config, "optimizer", "momentum"), kept_text(run.config, "lr", "usual"),
                          with_commas(int64_t(epochs.size())),
                          percent_cell(epochs.empty() ? std::nullopt : number(epochs.back(), "train_accuracy")),
                          percent_cell(best_of(epochs, "val_accuracy")),
                          percent_cell(tests.empty() ? std::nullopt : number(tests.back(), "accuracy")),
                          speed ? HtmlCell(fmt::format("{:.1f}", *speed), *speed) : HtmlCell("")});
  }
  return table;
}

HtmlTable confusion_table(const RunSummary& run, const Evaluation& evaluation) {
  const int64_t shown = std::min(evaluation.classes(), kMostDrawn);
  HtmlTable table{{"Actual, below; predicted, right"}, {}};
  for (int64_t c = 0; c < shown; ++c) table.columns.push_back(run.class_name(c));
  for (int64_t row = 0; row < shown; ++row) {
    std::vector<HtmlCell> cells{run.class_name(row)};
    const auto count_of = [&](int64_t c) { return evaluation.confusion[size_t(row * evaluation.classes() + c)]; };
    int64_t all = 0;
    for (int64_t c = 0; c < evaluation.classes(); ++c) all += count_of(c);
    for (int64_t c = 0; c < shown; ++c) {
      cells.emplace_back(with_commas(count_of(c)));
      if (all > 0) cells.back().shade = double(count_of(c)) / double(all);
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

void add_judged(HtmlPage& page, const RunSummary& run) {
  const JudgedRun& judged = *run.judged;
  if (judged.tokens > 0) {
    const double loss = judged.evaluation.all.loss();
    return page.paragraph(fmt::format("{}: {} tokens of the {} part, loss {:.4f}, perplexity {:.2f}.", run.logged.name,
                                      with_commas(judged.evaluation.all.samples), judged.part, loss, perplexity(loss)));
  }
  page.heading(run.logged.name + ": which classes are confused");
  page.paragraph(fmt::format("{} {} of the {} part, {:.2f} % correct.", with_commas(judged.evaluation.all.samples),
                             run.logged.samples, judged.part, judged.evaluation.all.accuracy() * 100));
  if (!judged.evaluation.confusion.empty()) page.table(confusion_table(run, judged.evaluation));
  const auto& worst = judged.evaluation.worst;
  if (worst.empty()) return;
  page.paragraph("The worst mistakes, those with the highest loss:");
  HtmlTable table{{"", "Is", "Predicted", "Loss", "Sample"}, {}};
  for (size_t i = 0; i < worst.size(); ++i)
    table.rows.push_back({HtmlCell::picture(judged.worst[i].png, judged.worst[i].png.empty() ? "" : "the sample"),
                          run.class_name(worst[i].label),
                          run.class_name(worst[i].chosen),
                          {fmt::format("{:.3f}", worst[i].loss), worst[i].loss},
                          printable(last_name(judged.worst[i].name), 80)});
  page.table(table);
}

bool was_tested(const RunSummary& run) {
  const auto tests = run.events("test");
  return !tests.empty() && number(tests.back(), "accuracy");
}

// That of the test, else the best of the validation.
std::optional<double> run_accuracy(const RunSummary& run) {
  return was_tested(run) ? number(run.events("test").back(), "accuracy") : best_of(run.events("epoch"), "val_accuracy");
}

// Whoever gets the report does not have our folders.
std::string why_not_judged(const RunSummary& run) {
  std::string text = run.not_judged;
  const auto name = run.config.value(Json::json_pointer("/data/name"), Json());
  for (const std::string& path : {name.is_string() ? name.get<std::string>() : "", run.path})
    for (size_t at = 0; !path.empty() && (at = text.find(path, at)) != std::string::npos; at += last_name(path).size())
      text.replace(at, path.size(), last_name(path));
  return text;
}

// Of the best run: how good it is, how fast it was, how long it took.
std::vector<ReportNumber> numbers_of(const RunSummary& run, double accuracy) {
  const auto epochs = run.events("epoch");
  std::vector<ReportNumber> numbers{{was_tested(run) ? "Test accuracy" : "Best validation accuracy",
                                     fmt::format("{:.2f} %", accuracy * 100), "", run.logged.name}};
  if (const auto speed = mean_speed(epochs))
    numbers.push_back({"Speed", with_commas(std::llround(*speed)), run.logged.samples + "/s", "mean of its epochs"});
  double seconds = 0;
  for (const auto& epoch : epochs) seconds += number(epoch, "seconds").value_or(0);
  if (seconds > 0)
    numbers.push_back({"Time of training", human_time(Seconds{seconds}), "",
                       fmt::format("{} epoch{}", with_commas(int64_t(epochs.size())), epochs.size() == 1 ? "" : "s")});
  return numbers;
}

ReportLead lead_of(const std::vector<RunSummary>& runs, const std::string& command) {
  const RunSummary* best = nullptr;
  std::optional<double> most;
  for (const auto& run : runs)
    if (const auto accuracy = run_accuracy(run); accuracy && (!most || *accuracy > *most)) {
      most = accuracy;
      best = &run;
    }
  ReportLead lead{.verdict = "No accuracy was measured.", .command = command};
  if (best)
    lead.verdict = fmt::format("{}{} reached a {} accuracy of {:.2f} %.",
                               runs.size() > 1 ? fmt::format("The best of {} runs: ", runs.size()) : "",
                               best->logged.name, was_tested(*best) ? "test" : "validation", *most * 100);
  if (best) lead.numbers = numbers_of(*best, *most);
  const RunSummary& shown = best ? *best : runs.front();
  const auto batch = number(shown.config, "batch");
  lead.assumed = {{"Network", printable(last_name(shown.text("model")), 60)},
                  {"Data", kept_name(shown.config, "data", "not known")},
                  {"Device", kept_device(shown.config)},
                  {"Number format", kept_text(shown.config, "compute", "f32")},
                  {"Batch", batch ? with_commas(int64_t(*batch)) : "not known"},
                  {"Optimizer", kept_text(shown.config, "optimizer", "momentum")},
                  {"Epochs", with_commas(int64_t(shown.events("epoch").size()))}};
  return lead;
}

std::vector<LoggedRun> logged_of(const std::vector<RunSummary>& runs) {
  std::vector<LoggedRun> logged;
  for (const auto& run : runs) logged.push_back(run.logged);
  return logged;
}

}  // namespace

std::string RunSummary::class_name(int64_t label) const {
  return size_t(label) < class_names.size() ? printable(class_names[size_t(label)], 40) : std::to_string(label);
}

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
  run.logged.samples = kept_samples(run.config);
  if (const auto planned = run.config.find("planned_bytes");
      planned != run.config.end() && planned->is_number_integer() && planned->get<int64_t>() >= 0)
    run.logged.planned = Bytes(planned->get<int64_t>());
  if (const auto names = run.config.find("class_names"); names != run.config.end() && names->is_array())
    for (const auto& name : *names)
      if (name.is_string()) run.class_names.push_back(name.get<std::string>());
  return run;
}

std::vector<Plot> epoch_plots(const std::vector<RunSummary>& runs) { return epoch_plots(logged_of(runs)); }

void add_runs(HtmlPage& page, const std::vector<RunSummary>& runs, const std::string& command) {
  page.lead(lead_of(runs, command));
  page.heading(runs.size() == 1 ? "The run" : "The runs, compared");
  page.table(comparison(runs));
  std::vector<std::string> pictures;
  for (const auto& plot : run_plots(logged_of(runs))) pictures.push_back(plot_svg(plot));
  page.pictures(pictures);
  for (const auto& run : runs) {
    if (run.judged) add_judged(page, run);
    else if (!run.not_judged.empty())
      page.paragraph(fmt::format("{}: not evaluated: {}", run.logged.name, why_not_judged(run)));
  }
}

}  // namespace plimsoll
