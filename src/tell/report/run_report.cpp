#include "tell/report/run_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/write_file.h"
#include "run/measure/run_log.h"
#include "tell/report/html.h"
#include "tell/report/kept_run.h"
#include "tell/report/run_plots.h"

namespace plimsoll {
namespace {

HtmlTable language_epochs_table(const TrainingOutcome& outcome) {
  HtmlTable table{{"Epoch", "Loss", "Perplexity", "Validation loss", "Validation perplexity", "Time", "Tokens/s"}, {}};
  for (const auto& epoch : outcome.state.epochs)
    table.rows.push_back({fmt::format("{}{}", epoch.epoch, epoch.complete ? "" : " (cut short)"),
                          fmt::format("{:.4f}", epoch.train_loss), fmt::format("{:.2f}", perplexity(epoch.train_loss)),
                          epoch.val_loss ? fmt::format("{:.4f}", *epoch.val_loss) : "",
                          epoch.val_loss ? fmt::format("{:.2f}", perplexity(*epoch.val_loss)) : "",
                          human_time(epoch.seconds), with_commas(int64_t(epoch.tokens_per_second.value_or(0)))});
  return table;
}

HtmlTable epochs_table(const TrainingOutcome& outcome, const std::string& samples) {
  if (outcome.tokens > 0) return language_epochs_table(outcome);
  HtmlTable table{
      {"Epoch", "Loss", "Accuracy", "Validation loss", "Validation accuracy", "Time", speed_heading(samples)}, {}};
  const auto share = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.2f} %", 100 * *value) : "";
  };
  for (const auto& epoch : outcome.state.epochs)
    table.rows.push_back({fmt::format("{}{}", epoch.epoch, epoch.complete ? "" : " (cut short)"),
                          fmt::format("{:.4f}", epoch.train_loss), share(epoch.train_accuracy),
                          epoch.val_loss ? fmt::format("{:.4f}", *epoch.val_loss) : "", share(epoch.val_accuracy),
                          human_time(epoch.seconds), with_commas(int64_t(epoch.images_per_second))});
  return table;
}

HtmlTable planned_table(const TrainingOutlook& outlook, const TrainingResult& result) {
  HtmlTable table{{"", "Planned", "Measured"}, {}};
  for (const auto& planned : planned_against_measured(outlook, result))
    table.rows.push_back({planned.what, planned.planned, planned.measured});
  return table;
}

std::string verdict_of(const TrainingOutcome& outcome) {
  if (outcome.test && outcome.tokens > 0)
    return fmt::format("Test loss {:.4f}, perplexity {:.2f}.", outcome.test->loss(), perplexity(outcome.test->loss()));
  if (outcome.test)
    return fmt::format(
        "Test accuracy {:.2f} %, loss {:.4f}{}.", 100 * outcome.test->accuracy(), outcome.test->loss(),
        outcome.restored_best ? fmt::format(", with the weights of epoch {}", outcome.state.best_epoch) : "");
  return fmt::format("Ended: {}.", name_of(outcome.end));
}

ReportLead lead_of(const TrainingOutlook& outlook, const TrainingResult& result, const std::string& data,
                   const Json& config) {
  const TrainingOutcome& outcome = result.outcome;
  ReportLead lead{verdict_of(outcome), true};
  lead.command = train_command(config);
  lead.assumed = {{"Network", printable(last_name(outlook.model), 60)},
                  {"Data", data},
                  {"Device", kept_device(config)},
                  {"Number format", kept_text(config, "compute", "f32")},
                  {"Batch", with_commas(outlook.step_samples())},
                  {"Optimizer", outlook.optimizer},
                  {"Learning rate", fmt::format("{:g} ({})", outlook.learning_rate, outlook.schedule)},
                  {"Epochs", fmt::format("{} of {}", outcome.state.epochs.size(), with_commas(outlook.epochs))},
                  {"Steps", with_commas(outcome.steps)},
                  {"Ended", fmt::format("{}. {}", name_of(outcome.end), printable(outcome.why))}};
  return lead;
}

}  // namespace

std::string run_report_html(const Json& config, const std::vector<Json>& log, const TrainingOutlook& outlook,
                            const TrainingResult& result) {
  const std::string data = printable(last_name(outlook.data), 100);
  HtmlPage page(fmt::format("{} on {}", printable(last_name(outlook.model), 100), data));
  page.lead(lead_of(outlook, result, data, config));
  page.heading("Planned against measured");
  page.table(planned_table(outlook, result));
  page.heading("Epochs");
  page.table(epochs_table(result.outcome, kept_samples(config)));
  std::vector<std::string> pictures;
  for (const auto& plot : run_plots({{outlook.model, log, outlook.planned, kept_samples(config)}}))
    pictures.push_back(plot_svg(plot));
  page.pictures(pictures);
  page.heading("The plan");
  TrainingOutlook shown = outlook;  // for readers who do not have our folders
  shown.model = last_name(outlook.model);
  shown.data = last_name(outlook.data);
  shown.run_dir = last_name(outlook.run_dir);
  page.preformatted(outlook_text(shown));
  return page.text();
}

Status write_run_report(const RunDirectory& directory, const TrainingOutlook& outlook, const TrainingResult& result) {
  PLIM_ASSIGN(const Json config, read_config(directory.path()));
  PLIM_ASSIGN(const auto log, read_run_log(directory.file(kLogFile)));
  return write_whole_file(directory.file(kReportFile), run_report_html(config, log, outlook, result));
}

}  // namespace plimsoll
