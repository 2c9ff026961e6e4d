// plimsoll report: one HTML file about a network or about runs, to look at and to send to a colleague.
#include <fmt/format.h>

#include <algorithm>

#include "base/file_beside.h"
#include "base/text.h"
#include "base/write_file.h"
#include "plan/time/step_time.h"
#include "plan/time/timed_program.h"
#include "plan/verdict/execution_of.h"
#include "plan/verdict/framework_load.h"
#include "plan/verdict/load_line.h"
#include "run/data/sample_picture.h"
#include "tell/cli/command.h"
#include "tell/cli/fit.h"
#include "tell/cli/judged_network.h"
#include "tell/cli/place.h"
#include "tell/cli/plot_flag.h"
#include "tell/cli/reading_limits.h"
#include "tell/cli/run_flags.h"
#include "tell/cli/trained_network.h"
#include "tell/cli/weigh.h"
#include "tell/report/network_report.h"
#include "tell/report/run_summary.h"

namespace plimsoll {
namespace {

// Whose lines are drawn when no device is asked for: one of each size that people rent.
constexpr const char* kUsualDevices[] = {"nvidia-rtx-3070", "nvidia-t4", "nvidia-rtx-3090", "nvidia-a100-40gb",
                                         "nvidia-h100-80gb"};
constexpr int64_t kLargestDrawnBatch = 1024;

struct ReportFlags {
  std::vector<std::string> subjects, devices;
  ModelFlags network;
  StepFlags step;
  std::string output = "report.html", samples, epochs, plot;
  bool not_judged = false, json = false, quiet = false;
};

// A network's answers, kept together: the report borrows from them.
struct NetworkAnswers {
  std::unique_ptr<Network> network;  // where it is: the others borrow it
  FitOutcome fit;
  PlaceOutcome place;
};

// What a batch needs under this framework.
Result<BatchCurve> curve_of(FitQuestion question, Framework framework, const std::optional<Device>& device) {
  question.lowering = nullptr;
  question.framework = framework;
  question.device = device;
  PLIM_ASSIGN(FrameworkLoad load, FrameworkLoad::make(question));
  const Room room = load.room(device ? &*device : nullptr, Bytes(INT64_MAX / 2));
  BatchCurve curve{std::string(name_of(framework)), {}};
  for (int64_t batch = 1; batch <= kLargestDrawnBatch; batch *= 2) {
    const auto peak = load.expected_at(batch, room);
    if (!peak.ok()) break;  // a file that was exported with one batch
    curve.points.push_back({batch, *peak});
  }
  return curve;
}

// PyTorch on the GPUs, our own engine on the CPUs.
Status add_curves(const ReportFlags& flags, const NetworkAnswers& answers, NetworkReport& report) {
  std::vector<std::string> names = flags.devices;
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
    PLIM_ASSIGN(BatchCurve curve, curve_of(answers.fit.question, Framework::plimsoll, cpu));
    report.curves.push_back(std::move(curve));
  }
  if (gpu) {
    PLIM_ASSIGN(BatchCurve curve, curve_of(answers.fit.question, Framework::pytorch, gpu));
    report.curves.push_back(std::move(curve));
  }
  return {};
}

// Absent where the device's peak or bandwidth is not known: this machine before it is probed.
std::optional<Roof> roof_of(const FitQuestion& question, int64_t batch, const std::string& name) {
  if (!question.device || !question.device->memory_bandwidth) return std::nullopt;
  const auto peak = question.device->product_peak(DType::f32);
  auto load = FrameworkLoad::make(question);
  if (!peak || !load.ok()) return std::nullopt;
  const auto program = load->program_at(batch);
  if (!program.ok()) return std::nullopt;
  const auto time = step_time(*program, *question.device, execution_of(question));
  if (!time.ok()) return std::nullopt;
  Roof roof{name, *peak, *question.device->memory_bandwidth, {}};
  const TimedProgram demands = timed(*program);
  for (size_t i = 0; i < demands.operations.size(); ++i) {
    const TimedOperation& operation = demands.operations[i];
    const double seconds = time->operations[i].seconds.value, flops = operation.flops * operation.repeat;
    if (operation.bytes <= 0 || flops <= 0 || seconds <= 0) continue;
    std::string kind(name_of(operation.work));
    std::replace(kind.begin(), kind.end(), '_', ' ');
    roof.points.push_back({program->operations[i].name, std::move(kind), operation.flops / operation.bytes,
                           flops / seconds, Seconds{seconds}});
  }
  return roof;
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

Result<NetworkAnswers> ask(const ReportFlags& flags, const std::string& model) {
  PLIM_ASSIGN(Network network, load_network(model, flags.network));
  NetworkAnswers answers{std::make_unique<Network>(std::move(network)), {}, {}};
  FitFlags fit;
  fit.model = model;
  fit.network = flags.network;
  fit.step = flags.step;
  fit.device = flags.devices.empty() ? "this" : flags.devices.front();
  fit.residence = true;
  PLIM_ASSIGN(answers.fit, fit_outcome(fit, *answers.network));
  PlaceFlags place;
  place.model = model;
  place.network = flags.network;
  place.step = flags.step;
  place.samples = flags.samples;
  place.epochs = flags.epochs;
  PLIM_ASSIGN(answers.place, place_outcome(place, *answers.network));
  if (flags.devices.empty()) return answers;
  place.devices = flags.devices;
  PLIM_ASSIGN(const PlaceOutcome asked, place_outcome(place, *answers.network));
  take_verdict(asked, answers.place);
  return answers;
}

Result<NetworkReport> report_of(const ReportFlags& flags, const std::string& model, const NetworkAnswers& answers) {
  NetworkReport report;
  report.model = printable(model, 100);
  WeighFlags weigh;
  weigh.model = flags.network;
  weigh.mode = flags.step.mode;
  if (!flags.step.optimizer.empty()) weigh.optimizer = flags.step.optimizer;
  PLIM_ASSIGN(report.weight, weight_of(weigh, *answers.network));
  report.question = &answers.fit.question;
  report.answer = &answers.fit.answer;
  report.fit_view = answers.fit.view;
  report.residence = answers.fit.where;
  report.roof = roof_of(answers.fit.question, answers.fit.answer.load.batch, answers.fit.view.device);
  PLIM_TRY(add_curves(flags, answers, report));
  report.job = &answers.place.job;
  report.by_time = report.by_money = answers.place.ranked;
  rank(report.by_money, RankBy::money);
  report.verdict = answers.place.verdict;
  report.devices_asked = !flags.devices.empty();
  report.notes = answers.place.view.notes;
  if (!report.roof) report.notes.push_back("No roofline: this machine was not measured yet (plimsoll probe).");
  return report;
}

// Its best weights on the data that it was trained with, where that still is.
Result<JudgedRun> judge(const std::string& folder, bool quiet) {
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(folder));
  PLIM_ASSIGN(TrainFlags flags, flags_of_run(checkpoint));
  flags.network.batch = fmt::format("{}", checkpoint.config.value("batch", int64_t{kDefaultTrainBatch}));
  PLIM_ASSIGN(JudgedNetwork network, open_for_judging(checkpoint, flags, quiet));
  PLIM_ASSIGN(const DataPart part, network.part(""));
  PLIM_ASSIGN(Evaluated evaluated, evaluate_network(*network.inference, *network.judge, part.dataset, network.loader));
  JudgedRun judged{part.name, std::move(evaluated.evaluation), {}};
  for (const auto& mistake : judged.evaluation.worst) {
    PLIM_ASSIGN(std::string png, sample_picture(part.dataset, mistake.index));
    judged.worst.push_back({part.dataset->describe(mistake.index), std::move(png)});
  }
  return judged;
}

Result<RunSummary> summary_of(const ReportFlags& flags, const std::string& folder) {
  PLIM_ASSIGN(RunSummary run, read_run(folder));
  if (flags.not_judged) return run;
  auto judged = judge(folder, flags.quiet);
  if (judged.ok()) run.judged = *std::move(judged);
  else run.not_judged = judged.error().line();
  return run;
}

Result<int> run_report(const ReportFlags& flags) {
  if (!flags.output.ends_with(".html"))
    return user_error(
        fmt::format("--output is {}, expected a name that ends in .html", plimsoll::in_quotes(flags.output)));
  PLIM_TRY(check_can_replace(flags.output));
  if (!flags.plot.empty()) {
    PLIM_TRY(check_plot_name(flags.plot));
    PLIM_TRY(check_can_replace(flags.plot));
  }
  HtmlPage page(fmt::format("Plimsoll: {}", printable(fmt::format("{}", fmt::join(flags.subjects, ", ")), 120)));
  Json json{
      {"schema", "plimsoll.report/1"}, {"file", flags.output}, {"networks", Json::array()}, {"runs", Json::array()}};
  std::vector<RunSummary> runs;
  for (const auto& subject : flags.subjects) {
    if (is_checkpoint_name(subject)) {
      PLIM_ASSIGN(RunSummary run, summary_of(flags, subject));
      json["runs"].push_back(run_json(run));
      runs.push_back(std::move(run));
      continue;
    }
    PLIM_ASSIGN(const NetworkAnswers answers, ask(flags, subject));
    PLIM_ASSIGN(const NetworkReport report, report_of(flags, subject, answers));
    add_network(page, report);
    json["networks"].push_back(network_json(report));
  }
  if (!runs.empty()) add_runs(page, runs);
  if (!flags.plot.empty()) {
    if (runs.empty()) return user_error("--plot draws the curves of runs, and none is given");
    PLIM_TRY(write_whole_file(flags.plot, plots_svg(epoch_plots(runs))));
  }
  PLIM_TRY(write_whole_file(flags.output, page.text()));
  if (flags.json) fmt::print("{}", json_text(json));
  else fmt::print("Report: {}\n", printable(flags.output));
  return int(kExitDone);
}

}  // namespace

Action declare_report(CLI::App& app) {
  const auto flags = std::make_shared<ReportFlags>();
  app.description(
      "One HTML file that needs nothing beside it, to look at or to send to a colleague. Of a network: layers, the "
      "memory\n"
      "of a step and the load line, the batch against devices' lines, the roofline, what is where, and the devices\n"
      "ranked with a verdict. Of runs: their curves, laid over each other, and what is taken for what.");
  app.footer(
      "Examples:\n"
      "  plimsoll report resnet50 --device nvidia-t4 -o resnet50.html\n"
      "  plimsoll report model.onnx --batch 32 --samples 100000 --epochs 10\n"
      "  plimsoll report runs/small runs/large -o compared.html\n"
      "Exit codes: 0 written, 2 a mistake in flags or files, 4 the machine failed.");
  app.add_option("SUBJECT", flags->subjects, "networks (zoo names, .onnx files) and folders of runs")->required();
  app.add_option("-o,--output", flags->output, "the file to write")->type_name("FILE")->capture_default_str();
  app.add_option("--device", flags->devices,
                 "the first: whose memory and roofline are shown (default: this machine); all: whose load lines are "
                 "drawn over the batch, and which to choose from")
      ->type_name("NAME");
  flags->network.declare(app, "samples a step (default: the largest under the line)");
  flags->step.declare(app);
  app.add_option("--samples", flags->samples, "samples of an epoch, for the ranking (default 50,000)")->type_name("N");
  app.add_option("--epochs", flags->epochs, "epochs, for the ranking (default 1)")->type_name("N");
  app.add_option("--plot", flags->plot, "of runs: draw loss and accuracy, epoch by epoch, into this .svg file too")
      ->type_name("FILE");
  app.add_flag("--no-judging", flags->not_judged, "of runs: their logs alone, no look at the data");
  app.add_flag("--json", flags->json, "everything that is in the file, as one JSON document");
  app.add_flag("--quiet", flags->quiet, "no messages besides the answer");
  return with_reading_limits(app, "SUBJECT", [flags] { return run_report(*flags); });
}

}  // namespace plimsoll
