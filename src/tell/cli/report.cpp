// plimsoll report: one HTML file about a network or about runs, to look at and to send to a colleague.
#include <algorithm>

#include "base/write_file.h"
#include "plan/verdict/load_line.h"
#include "run/data/sample_picture.h"
#include "run/exec/engine_here.h"
#include "run/train/judged_network.h"
#include "run/train/request_of_run.h"
#include "run/train/trained_network.h"
#include "tell/cli/report_request.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/report_reply.h"

namespace plimsoll {
namespace {

// Whose lines are drawn when no device is asked for: one of each size that people rent.
constexpr const char* kUsualDevices[] = {"nvidia-rtx-3070", "nvidia-t4", "nvidia-rtx-3090", "nvidia-a100-40gb",
                                         "nvidia-h100-80gb"};

// A network's answers, kept together: the report borrows from them.
struct NetworkAnswers {
  std::unique_ptr<Network> network;  // where it is: the others borrow it
  FitOutcome fit;
  PlaceOutcome place;
};

// PyTorch on the GPUs, our own engine on the CPUs.
Status add_curves(const ReportRequest& request, const NetworkAnswers& answers, NetworkReport& report) {
  std::vector<std::string> names = request.devices;
  if (names.size() < 2)
    for (const char* usual : kUsualDevices)
      if (std::find(names.begin(), names.end(), usual) == names.end()) names.emplace_back(usual);
  std::optional<Device> cpu, gpu;
  for (const auto& name : names) {
    PLIM_ASSIGN(const Candidate candidate, find_candidate(name));
    if (!candidate.part.memory) continue;
    report.lines.push_back({name, bytes_under_line(*candidate.part.memory, answers.fit.question.load_line)});
    (candidate.is_gpu() ? gpu : cpu) = candidate.part;
  }
  if (cpu) {
    PLIM_ASSIGN(BatchCurve curve, batch_curve(answers.fit.question, Framework::plimsoll, cpu));
    report.curves.push_back(std::move(curve));
  }
  if (gpu) {
    PLIM_ASSIGN(BatchCurve curve, batch_curve(answers.fit.question, Framework::pytorch, gpu));
    report.curves.push_back(std::move(curve));
  }
  return {};
}

// The verdict about devices that were asked for, into the ranking of the whole catalog: the others are there to compare
// with. Devices that the catalog does not have join it.
void take_verdict(const PlaceOutcome& asked, PlaceOutcome& ranking) {
  const auto is_ranked = [&](const std::string& name) {
    return std::any_of(ranking.ranked.begin(), ranking.ranked.end(),
                       [&](const JobPlacement& placed) { return placed.device.whole.name == name; });
  };
  for (const auto& placed : asked.ranked)
    if (!is_ranked(placed.device.whole.name)) ranking.ranked.push_back(placed);
  rank(ranking.ranked, RankBy::time);
  ranking.verdict = asked.verdict;
}

Result<NetworkAnswers> ask(const ReportRequest& request, const ModelRequest& model) {
  PLIM_ASSIGN(Network network, load_network(model));
  NetworkAnswers answers{std::make_unique<Network>(std::move(network)), {}, {}};
  FitRequest fit;
  fit.model = model;
  fit.batch = request.batch;
  fit.step = request.step;
  fit.device = request.devices.empty() ? "this" : request.devices.front();
  fit.residence = true;
  PLIM_ASSIGN(answers.fit, ask_fit(fit, *answers.network, &engine_here()));
  PlaceRequest place;
  place.model = model;
  place.batch = request.batch;
  place.step = request.step;
  place.work = request.work;
  PLIM_ASSIGN(answers.place, ask_place(place, *answers.network));
  if (request.devices.empty()) return answers;
  place.devices = request.devices;
  PLIM_ASSIGN(const PlaceOutcome asked, ask_place(place, *answers.network));
  take_verdict(asked, answers.place);
  return answers;
}

Result<NetworkReport> report_of(const ReportRequest& request, const ModelSource& source,
                                const NetworkAnswers& answers) {
  NetworkReport report;
  report.model = printable(source.name, 100);
  WeighRequest weigh;
  weigh.sizes = request.sizes;
  weigh.batch = request.batch;
  weigh.mode = request.step.mode;
  if (request.step.optimizer) weigh.optimizer = *request.step.optimizer;
  PLIM_ASSIGN(report.weight, weigh_one(weigh, source, *answers.network));
  report.fit = &answers.fit;
  report.roof = roofline(answers.fit.question, answers.fit.answer.load.batch, answers.fit.view.device);
  PLIM_TRY(add_curves(request, answers, report));
  report.by_time = answers.place;
  report.by_time.view = {report.model, 20, {}, {}, report.weight.uncounted};
  report.by_money = report.by_time;
  rank(report.by_money.ranked, RankBy::money);
  report.devices_asked = !request.devices.empty();
  report.notes = answers.place.view.notes;
  if (!report.roof) report.notes.push_back("No roofline: this machine was not measured yet (plimsoll probe).");
  return report;
}

// Its best weights on the data that it was trained with, where that still is.
Result<JudgedRun> judge(const std::string& folder, const DataLines& say) {
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(folder));
  PLIM_ASSIGN(TrainRequest request, request_of_run(checkpoint));
  request.batch.samples = checkpoint.config.value("batch", int64_t{kDefaultTrainBatch});
  PLIM_ASSIGN(JudgedNetwork network, open_for_judging(checkpoint, request, say));
  PLIM_ASSIGN(const DataPart part, network.part(""));
  PLIM_ASSIGN(Evaluated evaluated, evaluate_network(*network.inference, *network.judge, part.dataset, network.loader));
  JudgedRun judged{part.name, std::move(evaluated.evaluation), {}};
  for (const auto& mistake : judged.evaluation.worst) {
    PLIM_ASSIGN(std::string png, sample_picture(part.dataset, mistake.index));
    judged.worst.push_back({part.dataset->describe(mistake.index), std::move(png)});
  }
  return judged;
}

Result<RunSummary> summary_of(const std::string& folder, bool judged_too, bool quiet) {
  PLIM_ASSIGN(RunSummary run, read_run(folder));
  if (!judged_too) return run;
  auto judged = judge(folder, [quiet](const std::string& line) {
    if (!quiet) fmt::print(stderr, "{}\n", line);
  });
  if (judged.ok()) run.judged = *std::move(judged);
  else run.not_judged = judged.error().line();
  return run;
}

Result<int> run_report(TypedVerb<ReportRequest>& verb) {
  const ReportRequest& request = verb.request;
  if (!request.output.ends_with(".html"))
    return user_error(fmt::format("--output is {}, expected a name that ends in .html", in_quotes(request.output)));
  PLIM_TRY(check_can_replace(request.output));
  const std::string subjects = fmt::format("{}", fmt::join(request.subjects, ", "));
  HtmlPage page("Plimsoll: " + printable(subjects, 120));
  std::vector<Json> networks;
  std::vector<RunSummary> runs;
  for (const auto& subject : request.subjects) {
    if (is_checkpoint_name(subject)) {
      PLIM_ASSIGN(RunSummary run, summary_of(subject, !request.no_judging, verb.output.quiet));
      runs.push_back(std::move(run));
      continue;
    }
    ModelRequest model = request.sizes;
    model.source = {subject, nullptr};
    PLIM_ASSIGN(const NetworkAnswers answers, ask(request, model));
    PLIM_ASSIGN(const NetworkReport report, report_of(request, model.source, answers));
    add_network(page, report);
    if (verb.output.json) networks.push_back(network_json(report));
  }
  if (!runs.empty()) add_runs(page, runs);
  if (verb.output.plot) {
    if (runs.empty()) return user_error("--plot draws the curves of runs, and none is given");
    PLIM_TRY(write_whole_file(*verb.output.plot, plots_svg(epoch_plots(runs))));
  }
  PLIM_TRY(write_whole_file(request.output, page.text()));
  if (verb.output.json) print_document(report_json(request.output, std::move(networks), runs));
  else fmt::print("Report: {}\n", printable(request.output));
  return int(kExitDone);
}

}  // namespace

Action declare_report(CLI::App& app) {
  return typed_verb<ReportRequest>(
      app,
      {.description =
           "One HTML file that needs nothing beside it, to look at or to send to a colleague. Of a network: layers, "
           "the memory\nof a step and the load line, the batch against devices' lines, the roofline, what is where, "
           "and the devices\nranked with a verdict. Of runs: their curves, laid over each other, and what is taken for "
           "what.",
       .footer = "Examples:\n"
                 "  plimsoll report resnet50 --device nvidia-t4 -o resnet50.html\n"
                 "  plimsoll report model.onnx --batch 32 --samples 100000 --epochs 10\n"
                 "  plimsoll report runs/small runs/large -o compared.html\n"
                 "Exit codes: 0 written, 2 a mistake in flags or files, 4 the machine failed.",
       .output = {.plot = "of runs: draw loss and accuracy, epoch by epoch, into this .svg file too",
                  .json = "everything that is in the file, as one JSON document"},
       .limits = UsualLimits::some},
      run_report);
}

}  // namespace plimsoll
