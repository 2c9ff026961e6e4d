#include "tests/accuracy/two_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/scale.h"
#include "tests/accuracy/accuracy_table.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

constexpr const char* kBeside = "beside";
constexpr int64_t kClasses = 10;  // of the set that they trained on

std::string folder() { return std::string(PLIM_TEST_DATA) + "/../accuracy/"; }

double number(const FactRow& row, const std::string& column) { return std::atof(row.at(column).c_str()); }

Result<Wiring> wiring_of(const std::string& link, const Device& part) {
  Wiring wiring;
  if (link == kBeside) return wiring;
  if (link == "memory") {
    wiring.per_node = 2;
    wiring.inside = link_inside(part).value_or(Link());
    return wiring;
  }
  PLIM_ASSIGN(wiring.between, find_link(link));
  return wiring;
}

Result<ScaleRun> forecast(const ComparedTwoWorkers& run, int64_t threads) {
  PLIM_ASSIGN(Graph built, build_model(run.network, {.classes = kClasses}));
  const auto graph = std::make_shared<const Graph>(std::move(built));
  const Network network(run.network, [graph](std::optional<int64_t> batch, const NumberFormat& format) {
    return bind(*graph, {.batch = batch, .parameters = format.parameters, .activations = format.activations});
  });
  ScaleQuestion question;
  question.job.network = &network;
  PLIM_ASSIGN(question.job.step.optimizer, find_optimizer("momentum"));
  question.job.framework = Framework::plimsoll;
  question.job.load_line = kLoadLine;
  question.job.batch = run.batch;
  question.job.threads = threads;
  question.job.samples = 50'000;
  PLIM_ASSIGN(question.device, find_candidate(folder() + "two_workers_machine.json"));
  PLIM_ASSIGN(question.wiring, wiring_of(run.link, question.device.part));
  question.rule = exchange_rule(Framework::plimsoll);
  PLIM_ASSIGN(const auto scaling, Scaling::make(std::move(question)));
  return scaling->on(run.link == kBeside ? 1 : 2, std::nullopt);
}

// Against the two that know nothing of each other: they share the machine's memory as the two workers do.
void add_efficiency(std::vector<ComparedTwoWorkers>& runs) {
  for (auto& run : runs)
    for (const auto& one : runs)
      if (run.link != kBeside && one.link == kBeside && one.network == run.network && one.batch == run.batch)
        run.measured.efficiency = one.measured.step / run.measured.step;
}

Errors errors_by(const std::vector<ComparedTwoWorkers>& runs, double (*ratio)(const ComparedTwoWorkers&)) {
  std::vector<double> ratios;
  for (const auto& run : runs)
    if (run.measured.efficiency) ratios.push_back(ratio(run));
  return errors_of(ratios);
}

std::string share(std::optional<double> part) { return part ? fmt::format("{:.0f} %", 100 * *part) : ""; }

}  // namespace

std::vector<ComparedTwoWorkers> compare_two_workers() {
  std::vector<ComparedTwoWorkers> runs;
  const std::string path = folder() + "two_workers.csv";
  if (!std::filesystem::exists(path)) return runs;
  for (const auto& row : csv_rows(path)) {
    ComparedTwoWorkers run{row.at("network"), row.at("link"), int64_t(number(row, "batch")), {}, {}};
    run.measured.step = number(row, "step_seconds");
    if (const double travelled = number(row, "communication_seconds"); travelled > 0)
      run.measured.hidden = 1 - std::min(1.0, number(row, "exposed_seconds") / travelled);
    const auto predicted = forecast(run, int64_t(number(row, "threads")));
    if (!predicted.ok()) {
      ADD_FAILURE() << run.network << ": " << predicted.error().line();
      continue;
    }
    run.predicted.step = predicted->step.value;
    if (run.link != kBeside) {
      run.predicted.hidden = predicted->exchange.hidden();
      run.predicted.efficiency = predicted->efficiency;
    }
    runs.push_back(std::move(run));
  }
  add_efficiency(runs);
  return runs;
}

std::string two_workers_chapter(const std::vector<ComparedTwoWorkers>& runs) {
  if (runs.empty()) return "";
  const Errors steps = errors_by(runs, [](const auto& run) { return run.predicted.step / run.measured.step; });
  const Errors efficiencies =
      errors_by(runs, [](const auto& run) { return *run.predicted.efficiency / *run.measured.efficiency; });
  std::string text = fmt::format(
      "\n### Two workers, measured\n\n"
      "By `bench/two_workers.py`, our own engine on a machine with few cores, half of them for each worker. The\n"
      "machine is `tests/accuracy/two_workers_machine.json`, as `probe` found it. \"beside\": two trainings that know\n"
      "nothing of each other, which efficiency is measured against. \"memory\": both workers on one host. The others:\n"
      "on two hosts, network namespaces with a cable of that rate between them (`tc`). What a byte on its way costs\n"
      "the cores was set after an earlier run of AlexNet; nothing was changed after these rows were measured.\n\n"
      "Step time: {} rows, median error {:.1f} %, worst {:.2f}×. Efficiency: median error {:.1f} %, worst {:.2f}×.\n\n"
      "| network | batch | link | measured step | predicted | measured efficiency | predicted | measured hidden | "
      "predicted |\n|---|---|---|---|---|---|---|---|---|\n",
      steps.rows, 100 * steps.median, steps.worst, 100 * efficiencies.median, efficiencies.worst);
  for (const auto& run : runs)
    text += fmt::format("| {} | {} | {} | {:.0f} ms | {:.0f} ms | {} | {} | {} | {} |\n", run.network, run.batch,
                        run.link, 1e3 * run.measured.step, 1e3 * run.predicted.step, share(run.measured.efficiency),
                        share(run.predicted.efficiency), share(run.measured.hidden), share(run.predicted.hidden));
  return text +
         "\n- Hidden: the share of the time in which gradients travelled that no step waited for. The cores that\n"
         "  compute also add up and copy what travels, and over a cable they are its network cards too: a step gets\n"
         "  longer even where all of the exchange is hidden.\n"
         "- Over the slow cable gradients travel as long as forecast beside little computing (batch 8), and up to 1.7\n"
         "  times as long beside much, which the forecast does not know; probably who sends waits for its core.\n";
}

}  // namespace plimsoll
