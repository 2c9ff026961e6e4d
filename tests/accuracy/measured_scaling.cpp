#include "tests/accuracy/measured_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/scale.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

constexpr const char* kConvergence = "convergence table: 8 V100";

// One published run, as a question.
struct PublishedRun {
  ComparedScaling run;
  std::string device, inside, between, optimizer = "sgd";
  int64_t per_node = 8;
};

double number(const FactRow& row, const std::string& column) { return std::atof(row.at(column).c_str()); }

std::optional<double> if_there(const FactRow& row, const std::string& column) {
  return row.at(column).empty() ? std::nullopt : std::optional(number(row, column));
}

std::vector<PublishedRun> published() {
  std::vector<PublishedRun> runs;
  for (const auto& row : facts("scaling_published.csv")) {
    PublishedRun run{.run = {.source = row.at("source"), .network = row.at("network"), .exchange = row.at("exchange")}};
    run.device = row.at("device");
    run.inside = row.at("inside");
    run.between = row.at("between");
    run.per_node = int64_t(number(row, "per_node"));
    run.run.workers = int64_t(number(row, "workers"));
    run.run.batch = int64_t(number(row, "batch_per_worker"));
    run.run.images = if_there(row, "images_per_second");
    run.run.efficiency = if_there(row, "efficiency");
    runs.push_back(std::move(run));
  }
  return runs;
}

// Only the kind of GPU is published. Eight of them were most likely in one host, with NVLink.
std::vector<PublishedRun> convergence() {
  std::vector<PublishedRun> runs;
  for (const auto& row : facts("convergence_table.csv")) {
    PublishedRun run{.run = {.source = kConvergence, .network = "", .exchange = "all-reduce"}};
    run.run.network = row.at("batch_norm") == "yes" ? "convergence_bn" : "convergence";
    run.device = "nvidia-v100-16gb";
    run.inside = "nvlink2";
    run.optimizer = row.at("optimizer");
    run.run.workers = int64_t(number(row, "workers"));
    run.run.batch = int64_t(number(row, "batch_per_worker"));
    run.run.images = number(row, "images_per_s_v100");
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<ScaleRun> forecast(const PublishedRun& published) {
  PLIM_ASSIGN(Graph built, build_model(published.run.network, {}));
  const auto graph = std::make_shared<const Graph>(std::move(built));
  const Network network(published.run.network, [graph](std::optional<int64_t> batch, const NumberFormat& format) {
    return bind(*graph, {.batch = batch, .parameters = format.parameters, .activations = format.activations});
  });
  ScaleQuestion question;
  question.job.network = &network;
  PLIM_ASSIGN(question.job.step.optimizer, find_optimizer(published.optimizer));
  question.job.framework = Framework::tensorflow;
  question.job.load_line = kLoadLine;
  question.job.batch = published.run.batch;
  question.job.samples = 50'000;
  PLIM_ASSIGN(question.device, find_candidate(published.device));
  question.wiring.per_node = published.per_node;
  PLIM_ASSIGN(question.wiring.inside, find_link(published.inside));
  if (!published.between.empty()) {
    PLIM_ASSIGN(question.wiring.between, find_link(published.between));
  }
  question.rule = exchange_rule(Framework::tensorflow);
  PLIM_ASSIGN(const auto scaling, Scaling::make(std::move(question)));
  return scaling->on(published.run.workers, std::nullopt);
}

// Where only images per second are published: against the same source's single worker.
void add_efficiency(std::vector<ComparedScaling>& runs) {
  for (auto& run : runs) {
    if (run.efficiency || !run.images || run.workers == 1) continue;
    for (const auto& one : runs)
      if (one.workers == 1 && one.images && one.source == run.source && one.network == run.network &&
          one.batch == run.batch)
        run.efficiency = *run.images / (double(run.workers) * *one.images);
  }
}

using Ratio = std::function<std::optional<double>(const ComparedScaling&)>;

std::optional<double> efficiency_ratio(const ComparedScaling& run) {
  return run.efficiency ? std::optional(run.predicted_efficiency / *run.efficiency) : std::nullopt;
}
std::optional<double> images_ratio(const ComparedScaling& run) {
  return run.images ? std::optional(run.predicted_images / *run.images) : std::nullopt;
}

std::vector<std::string> sources_of(const std::vector<ComparedScaling>& runs) {
  std::vector<std::string> sources;
  for (const auto& run : runs)
    if (std::find(sources.begin(), sources.end(), run.source) == sources.end()) sources.push_back(run.source);
  return sources;
}

Errors errors_in(const std::vector<ComparedScaling>& runs, const std::string& source, const Ratio& ratio) {
  std::vector<double> ratios;
  for (const auto& run : runs)
    if (const auto found = ratio(run); found && (source.empty() || run.source == source)) ratios.push_back(*found);
  return errors_of(ratios);
}

std::string cells(const Errors& errors) {
  if (errors.rows == 0) return "| | | |";
  return fmt::format("| {} | {:.1f} % | {:.2f}× |", errors.rows, 100 * errors.median, errors.worst);
}

std::string share(std::optional<double> number) { return number ? fmt::format("{:.0f} %", 100 * *number) : ""; }
std::string plain(std::optional<double> number) { return number ? fmt::format("{:.0f}", *number) : ""; }

// Those of which every row says something of its own.
std::string single_rows(const std::vector<ComparedScaling>& runs) {
  std::string text =
      "| network | workers | batch | measured images/s | predicted | measured efficiency | predicted |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const auto& run : runs)
    if (run.source == kConvergence || run.source.starts_with("Horovod"))
      text += fmt::format("| {} | {} | {} | {} | {:.0f} | {} | {} |\n", run.network, run.workers, run.batch,
                          plain(run.images), run.predicted_images, share(run.efficiency),
                          run.workers > 1 ? share(run.predicted_efficiency) : "");
  return text;
}

}  // namespace

std::vector<ComparedScaling> compare_scaling() {
  std::vector<PublishedRun> all = published();
  for (auto& run : convergence()) all.push_back(std::move(run));
  std::vector<ComparedScaling> compared;
  for (auto& one : all) {
    const auto run = forecast(one);
    if (!run.ok()) {
      ADD_FAILURE() << one.run.network << ": " << run.error().line();
      continue;
    }
    one.run.predicted_images = run->samples_per_second;
    one.run.predicted_efficiency = run->efficiency;
    compared.push_back(std::move(one.run));
  }
  add_efficiency(compared);
  return compared;
}

std::vector<double> speed_up_ratios(const std::vector<ComparedStep>& steps, int64_t devices, bool trains) {
  const auto key = [](const MeasuredStep& step) {
    return std::tuple(step.network, step.device, step.execution.dtype, step.trains, step.batch);
  };
  std::map<decltype(key(steps[0].step)), const ComparedStep*> alone;
  for (const auto& compared : steps)
    if (compared.step.source == "ryujaehun" && compared.step.devices == 1) alone[key(compared.step)] = &compared;
  std::vector<double> ratios;
  for (const auto& compared : steps) {
    const MeasuredStep& step = compared.step;
    if (step.source != "ryujaehun" || step.devices != devices || step.trains != trains) continue;
    const auto one = alone.find(key(step));
    if (one != alone.end()) ratios.push_back(one->second->ratio() / compared.ratio());
  }
  return ratios;
}

std::string scaling_table(const std::vector<ComparedStep>& steps, const std::vector<ComparedScaling>& runs) {
  std::string text =
      "// Written by `make accuracy` from the measurements of tests/data/facts; a test holds it to them.\n";
  const auto add = [&](const std::string& name, const Errors& errors) {
    text += fmt::format("PLIM_ACCURACY(\"{}\", {}, {:.3f}, {:.2f}, {:.3f})\n", name, errors.rows, errors.median,
                        errors.worst, errors.within_30);
  };
  for (const int64_t devices : {2, 3, 4})
    add(fmt::format("PyTorch's DataParallel, {} GPUs, training: speed-up", devices),
        errors_of(speed_up_ratios(steps, devices, true)));
  for (const auto& source : sources_of(runs)) {
    const Errors errors = errors_in(runs, source, efficiency_ratio);
    if (errors.rows > 0) add(source + ": efficiency", errors);
  }
  add("all published runs with a process for each worker: efficiency", errors_in(runs, "", efficiency_ratio));
  return text;
}

std::string scaling_chapter(const std::vector<ComparedStep>& steps, const std::vector<ComparedScaling>& runs) {
  std::string text =
      "\n## Several workers\n\n"
      "How many times faster 2 to 4 GPUs are than one under PyTorch's DataParallel (`scale --exchange one-process`), "
      "batch "
      "12\n"
      "a GPU. The rows are those of the step times above, so the model was fitted to them.\n\n"
      "| speed-up | rows | median error | worst |\n|---|---|---|---|\n";
  for (const bool trains : {true, false})
    for (const int64_t devices : {2, 3, 4})
      text += fmt::format("| {} GPUs, {} {}\n", devices, trains ? "training" : "inference",
                          cells(errors_of(speed_up_ratios(steps, devices, trains))));
  text +=
      "\nPublished runs with a process or a replica for each worker (`scale`). Nothing was fitted to them. Efficiency "
      "is "
      "images/s\n"
      "over those of as many single workers of the same source.\n\n"
      "| source | efficiency: rows | median error | worst | images/s: rows | median error | worst |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const auto& source : sources_of(runs))
    text += fmt::format("| {} {}{}\n", source, cells(errors_in(runs, source, efficiency_ratio)),
                        cells(errors_in(runs, source, images_ratio)).substr(1));
  text += fmt::format("| all {}{}\n\n", cells(errors_in(runs, "", efficiency_ratio)),
                      cells(errors_in(runs, "", images_ratio)).substr(1));
  text += single_rows(runs);
  text +=
      "\n- The forecast has every exchange as an all-reduce. Of the TensorFlow rows only AlexNet's and VGG-16's on the "
      "DGX-1\n"
      "  were; the others used parameter servers or copies through the first GPU.\n"
      "- \"Pascal\" was taken to be P100 on PCIe 3.0, and p2.8xlarge to have 10 Gbit/s. Of VGG-16 on hundreds of "
      "workers "
      "the\n"
      "  forecast expects too much: it has the large gradients of the last layers hidden, which need not be so.\n"
      "- Of the convergence table only \"V100\" is known. It was taken to be eight of 16 GB in one host, connected by "
      "NVLink 2,\n"
      "  TensorFlow with Horovod's defaults, samples at hand. A step of so small a network takes a few milliseconds, "
      "and "
      "what\n"
      "  the framework does between steps is not in the forecast: images/s are too high by the factors of the table. "
      "LAMB\n"
      "  costs more there than the forecast has for an update.\n";
  return text;
}

}  // namespace plimsoll
