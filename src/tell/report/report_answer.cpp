#include "tell/report/report_answer.h"

#include "run/train/trained_network.h"
#include "tell/report/network_answers.h"
#include "tell/report/text_network_report.h"

namespace plimsoll {
namespace {

Result<RunSummary> summary_of(const std::string& folder, bool judged_too, const DataLines& say) {
  PLIM_ASSIGN(RunSummary run, read_run(folder));
  if (!judged_too) return run;
  auto judged = judge_run(folder, say);
  if (judged.ok()) run.judged = *std::move(judged);
  else run.not_judged = judged.error().line();
  return run;
}

}  // namespace

Result<ReportAnswer> ask_report(const ReportRequest& request, const DataLines& say) {
  std::vector<std::string> names;
  for (const auto& subject : request.subjects) names.push_back(last_name(subject));
  ReportAnswer answer{HtmlPage("Plimsoll: " + printable(fmt::format("{}", fmt::join(names, ", ")), 120)), {}, {}};
  for (const auto& subject : request.subjects) {
    if (is_checkpoint_name(subject)) {
      PLIM_ASSIGN(RunSummary run, summary_of(subject, !request.no_judging, say));
      answer.runs.push_back(std::move(run));
      continue;
    }
    ModelRequest model = request.sizes;
    model.source = {subject, nullptr};
    PLIM_ASSIGN(std::optional<Json> text, add_text_network(answer.page, request, model));
    if (text) {
      answer.networks.push_back(*std::move(text));
      continue;
    }
    PLIM_ASSIGN(const NetworkAnswers answers, ask_network(request, model));
    PLIM_ASSIGN(NetworkReport report, report_of(request, model.source, answers));
    report.command = report_command(request);
    add_network(answer.page, report);
    answer.networks.push_back(network_json(report));
  }
  if (!answer.runs.empty()) add_runs(answer.page, answer.runs, report_command(request));
  return answer;
}

}  // namespace plimsoll
