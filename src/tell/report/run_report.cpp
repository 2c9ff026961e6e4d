#include "tell/report/run_report.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/write_file.h"
#include "run/measure/run_log.h"
#include "tell/report/html.h"
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

HtmlTable epochs_table(const TrainingOutcome& outcome) {
  if (outcome.tokens > 0) return language_epochs_table(outcome);
  HtmlTable table{{"Epoch", "Loss", "Accuracy", "Validation loss", "Validation accuracy", "Time", "Images/s"}, {}};
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

}  // namespace

std::string run_report_html(const std::vector<Json>& log, const TrainingOutlook& outlook,
                            const TrainingResult& result) {
  HtmlPage page(fmt::format("{} on {}", printable(outlook.model, 100), printable(outlook.data, 100)));
  page.preformatted(outlook_text(outlook));
  if (result.outcome.test && result.outcome.tokens > 0)
    page.strong(fmt::format("Test loss {:.4f}, perplexity {:.2f}.", result.outcome.test->loss(),
                            perplexity(result.outcome.test->loss())));
  else if (result.outcome.test)
    page.strong(fmt::format(
        "Test accuracy {:.2f} %, loss {:.4f}{}.", 100 * result.outcome.test->accuracy(), result.outcome.test->loss(),
        result.outcome.restored_best ? fmt::format(", with the weights of epoch {}", result.outcome.state.best_epoch)
                                     : ""));
  page.paragraph(fmt::format("Ended: {}. {}", name_of(result.outcome.end), printable(result.outcome.why)));
  page.heading("Planned against measured");
  page.table(planned_table(outlook, result));
  page.heading("Epochs");
  page.table(epochs_table(result.outcome));
  std::vector<std::string> pictures;
  for (const auto& plot : run_plots({{outlook.model, log, outlook.planned}})) pictures.push_back(plot_svg(plot));
  page.pictures(pictures);
  return page.text();
}

Status write_run_report(const RunDirectory& directory, const TrainingOutlook& outlook, const TrainingResult& result) {
  PLIM_ASSIGN(const auto log, read_run_log(directory.file(kLogFile)));
  return write_whole_file(directory.file(kReportFile), run_report_html(log, outlook, result));
}

}  // namespace plimsoll
