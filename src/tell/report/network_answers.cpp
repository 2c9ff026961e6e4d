#include "tell/report/network_answers.h"

#include <algorithm>

#include "model/zoo/all_models.h"
#include "plan/ask/frozen_network.h"
#include "plan/ask/weigh_request.h"
#include "plan/verdict/load_line.h"
#include "run/ask/ask_here.h"

namespace plimsoll {
namespace {

// Whose lines are drawn when no device is asked for: one of each size that people rent.
constexpr const char* kUsualDevices[] = {"nvidia-rtx-3070", "nvidia-t4", "nvidia-rtx-3090", "nvidia-a100-40gb",
                                         "nvidia-h100-80gb"};

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
    report.lines.push_back(
        {candidate.whole.name, bytes_under_line(*candidate.part.memory, answers.fit.question.load_line)});
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

// As the page calls them.
std::string samples_of(const ModelSource& source) {
  const ZooModel* zoo = find_model(source.name);
  return !zoo ? "samples" : zoo->input_type == DType::i64 ? "sequences" : "images";
}

}  // namespace

Result<NetworkAnswers> ask_network(const ReportRequest& request, const ModelRequest& model) {
  PLIM_ASSIGN(Network network, load_network(model));
  NetworkAnswers answers{std::make_shared<const Network>(std::move(network)), nullptr, {}, {}};
  answers.trained = with_frozen(answers.network, request.training, request.step.mode);
  FitRequest fit = request.fit(model);
  fit.residence = true;
  PLIM_ASSIGN(answers.fit, ask_fit_here(fit, *answers.trained));
  PLIM_ASSIGN(answers.place, ask_place(request.place(model, true), *answers.trained));
  if (request.devices.empty()) return answers;
  PLIM_ASSIGN(const PlaceOutcome asked, ask_place(request.place(model, false), *answers.trained));
  take_verdict(asked, answers.place);
  return answers;
}

Result<NetworkReport> report_of(const ReportRequest& request, const ModelSource& source,
                                const NetworkAnswers& answers) {
  NetworkReport report;
  report.model = printable(last_name(source.name), 100);
  report.samples = samples_of(source);
  WeighRequest weigh;
  weigh.sizes = request.sizes;
  weigh.batch = request.batch;
  weigh.mode = request.step.mode;
  if (request.step.optimizer) weigh.optimizer = *request.step.optimizer;
  PLIM_ASSIGN(report.weight, weigh_one(weigh, source, *answers.network));
  report.fit = &answers.fit;
  report.roof = roofline(answers.fit.question, answers.fit.answer.load.batch, answers.fit.view.device);
  if (auto step = step_operations(answers.fit.question, answers.fit.answer.load.batch); step.ok())
    report.step = *std::move(step);
  PLIM_TRY(add_curves(request, answers, report));
  report.by_time = answers.place;
  report.by_time.view = {.model = report.model, .uncounted = report.weight.uncounted};
  report.by_money = report.by_time;
  rank(report.by_money.ranked, RankBy::money);
  report.devices_asked = !request.devices.empty();
  report.notes = answers.place.view.notes;
  if (!report.roof) report.notes.push_back("No roofline: this machine was not measured yet (plimsoll probe).");
  return report;
}

}  // namespace plimsoll
