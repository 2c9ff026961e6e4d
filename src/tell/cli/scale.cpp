// plimsoll scale: how far does training scale, and how many workers are worth it?
#include "tell/cli/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file_beside.h"
#include "base/size_text.h"
#include "base/text.h"
#include "base/write_file.h"
#include "plan/time/accuracy.h"
#include "plan/verdict/load_line.h"
#include "run/measure/run_log.h"
#include "run/train/run_directory.h"
#include "tell/cli/command.h"
#include "tell/cli/framework_flag.h"
#include "tell/cli/link_flag.h"
#include "tell/cli/numbers.h"
#include "tell/cli/plot_flag.h"
#include "tell/cli/reading_limits.h"
#include "tell/report/accuracy_report.h"
#include "tell/report/scale_plot.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultSamples = 50'000;
constexpr int64_t kMany = 64;  // workers, of which the slowest counts
constexpr double kLargestCritical = 1e12;
constexpr double kUnknownCritical[] = {256, 1024, 4096, 16384, 65536};

// "1,2,4,8", "1..1024" (each twice the last), or both.
Result<std::vector<int64_t>> workers_of(const std::string& text) {
  std::vector<int64_t> numbers;
  for (const auto& part : split(text, ',')) {
    const size_t dots = part.find("..");
    PLIM_ASSIGN(const int64_t from, parse_integer("--workers", part.substr(0, dots), 1, kMostWorkers));
    int64_t to = from;
    if (dots != std::string::npos) {
      PLIM_ASSIGN(to, parse_integer("--workers", part.substr(dots + 2), from, kMostWorkers));
    }
    for (int64_t number = from; number < to; number *= 2) numbers.push_back(number);
    numbers.push_back(to);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

Result<std::optional<int64_t>> count_of(const std::string& flag, const std::string& text, int64_t most) {
  if (text.empty()) return std::optional<int64_t>();
  PLIM_ASSIGN(const int64_t number, parse_integer(flag, text, 1, most));
  return std::optional(number);
}

Status read_job(const ScaleFlags& flags, Job& job) {
  PLIM_ASSIGN(job.format, flags.network.read_format());
  PLIM_ASSIGN(job.step, flags.step.read());
  if (!job.trains()) return user_error("--mode is inference, expected train: workers of an inference share nothing");
  if (!flags.framework.empty()) {
    PLIM_ASSIGN(job.framework, choose_framework(flags.framework, std::nullopt));
  }
  job.load_line = kLoadLine;
  if (!flags.load_line.empty()) {
    PLIM_ASSIGN(job.load_line, parse_number("--load-line", flags.load_line, 0, Edge::above, 1));
  }
  PLIM_ASSIGN(job.batch, flags.network.read_batch());
  PLIM_ASSIGN(const auto samples, count_of("--samples", flags.samples, int64_t{1} << 50));
  job.samples = samples.value_or(kDefaultSamples);
  PLIM_ASSIGN(const auto epochs, count_of("--epochs", flags.epochs, kLargestBatch));
  job.epochs = epochs.value_or(1);
  PLIM_ASSIGN(job.threads, count_of("--threads", flags.threads, 1'000'000));
  if (!flags.price.empty()) {
    PLIM_ASSIGN(const double price, parse_number("--price", flags.price, 0, Edge::included, 1e9));
    job.price = DollarsPerHour{price};
  }
  PLIM_ASSIGN(job.loading, flags.loading.read());
  return {};
}

// A number as it is typed, or the last that a run has logged.
Result<std::string> noise_scale_of(const std::string& text) {
  std::error_code error;
  if (!std::filesystem::is_directory(text, error)) return text;
  PLIM_ASSIGN(const auto log, read_run_log(text + "/" + std::string(kLogFile)));
  for (auto entry = log.rbegin(); entry != log.rend(); ++entry)
    if (const auto noise = entry->find("noise_scale"); noise != entry->end() && noise->is_number())
      return fmt::format("{}", noise->get<double>());
  return user_error("has no gradient noise scale", "runs of several workers measure it: train … -np 2")
      .in(printable(text, 200));
}

// N, or LOW-HIGH: then the middle of the two is taken, and the answer is given for both ends too.
Status read_critical_batch(const ScaleFlags& flags, ScaleQuestion& question, ScaleAim& aim) {
  if (!flags.critical_batch.empty() && !flags.noise_scale.empty())
    return user_error("--critical-batch and --noise-scale are both given, expected one of them");
  const bool noise = !flags.noise_scale.empty();
  const std::string flag = noise ? "--noise-scale" : "--critical-batch";
  std::string text = flags.critical_batch;
  if (noise) {
    PLIM_ASSIGN(text, noise_scale_of(flags.noise_scale));
  }
  if (text.empty()) {
    aim.supposed.assign(std::begin(kUnknownCritical), std::end(kUnknownCritical));
    return {};
  }
  const size_t dash = text.find('-', 1);
  PLIM_ASSIGN(const double low, parse_number(flag, text.substr(0, dash), 0, Edge::above, kLargestCritical));
  question.critical_batch = low;
  if (dash == std::string::npos) return {};
  PLIM_ASSIGN(const double high, parse_number(flag, text.substr(dash + 1), low, Edge::included, kLargestCritical));
  question.critical_batch = std::sqrt(low * high);
  aim.supposed = {low, high};
  return {};
}

Status read_question(const ScaleFlags& flags, ScaleQuestion& question) {
  PLIM_TRY(read_job(flags, question.job));
  PLIM_ASSIGN(question.global_batch, count_of("--global-batch", flags.global_batch, kLargestBatch));
  if (question.global_batch && question.job.batch)
    return user_error("--batch and --global-batch are both given, expected one of them",
                      "--batch is every worker's, --global-batch that of all together");
  if (question.global_batch && question.job.step.micro_batches > 1)
    return user_error("--global-batch does not go with --micro-batches", "give --batch, the samples of one part");
  PLIM_ASSIGN(question.reference_batch, count_of("--reference-batch", flags.reference_batch, kLargestBatch));
  question.shared_disk = flags.shared_disk;
  if (!flags.jitter.empty()) {
    PLIM_ASSIGN(question.jitter, parse_number("--jitter", flags.jitter, 0, Edge::included, 1));
  }
  return {};
}

Status read_aim(const ScaleFlags& flags, ScaleAim& aim) {
  if (flags.by == "time") aim.by = ScaleBy::time;
  else if (flags.by == "money") aim.by = ScaleBy::money;
  else if (flags.by != "knee")
    return user_error(fmt::format("--by is {}, expected knee, time or money", plimsoll::in_quotes(flags.by)));
  if (!flags.deadline.empty()) {
    PLIM_ASSIGN(aim.deadline, parse_time("--deadline", flags.deadline));
  }
  if (!flags.budget.empty()) {
    PLIM_ASSIGN(const double budget, parse_number("--budget", flags.budget, 0, Edge::above, 1e15));
    aim.budget = Dollars{budget};
  }
  if (!flags.rate.empty()) {
    PLIM_ASSIGN(aim.learning_rate, parse_number("--lr", flags.rate, 0, Edge::above, 1e9));
  }
  if (flags.rule.empty()) return {};
  for (const RateRule rule : {RateRule::linear, RateRule::square_root, RateRule::none})
    if (flags.rule == name_of(rule)) aim.rule = rule;
  if (aim.rule) return {};
  return user_error(fmt::format("--scale-lr is {}, expected linear, sqrt or none", plimsoll::in_quotes(flags.rule)));
}

// How far off such forecasts have been: never without it.
std::string accuracy_note(ExchangeWay way) {
  const auto rows = scaling_accuracy();
  const AccuracyRow& row = way == ExchangeWay::all_reduce ? rows.back() : rows.front();
  return fmt::format(
      "Held against {} published runs, such forecasts of {} were off by {} in the median, by {:.2f} times "
      "at worst (--accuracy).",
      row.rows, way == ExchangeWay::all_reduce ? "efficiency" : "speed-up", percent(row.median_error),
      row.worst_factor);
}

void add_notes(const ScaleFlags& flags, const Scaling& scaling, int64_t most, ScaleView& view) {
  const ScaleQuestion& question = scaling.question();
  if (most >= kMany && flags.jitter.empty())
    view.notes.push_back("All workers were taken to be equally fast in every step (--jitter SHARE).");
  if (flags.samples.empty())
    view.notes.push_back(fmt::format("{} samples were assumed (--samples N).", with_commas(question.job.samples)));
  if (flags.reference_batch.empty())
    view.notes.push_back(fmt::format("The epochs were taken to be those of batch {} (--reference-batch N).",
                                     with_commas(scaling.reference_batch())));
  if (const auto& price = scaling.price())
    view.notes.push_back(
        fmt::format("{} costs {:.3g} USD/h, {}.", question.device.whole.name, price->price.value, price->basis));
  if (question.job.loading.decode_per_core) {
    const std::string assumed = cores_sentence(host_cores(question.device, question.job.loading.host_cores));
    if (!assumed.empty()) view.notes.push_back(assumed.substr(0, assumed.size() - 1) + " (--host-cores N).");
  }
  if (!view.uncounted.lower_bound()) view.notes.push_back(accuracy_note(question.exchange));
}

Status check_plot(const ScaleFlags& flags, const std::vector<int64_t>& workers) {
  if (flags.plot.empty()) return {};
  PLIM_TRY(check_plot_name(flags.plot));
  if (workers.size() < 2)
    return user_error("--plot needs several numbers of workers to draw a line through", "for example --workers 1,2,4");
  return check_can_replace(flags.plot);
}

std::string rendered(const ScaleFlags& flags, const Scaling& scaling, const ScaleForecast& forecast,
                     const ScaleView& view) {
  return flags.json       ? json_text(scale_json(scaling, forecast, view))
         : flags.csv      ? scale_csv(scaling, forecast, view)
         : flags.markdown ? scale_markdown(forecast, view)
                          : scale_text(scaling, forecast, view);
}

// All that the flags say, without the network.
struct Setup {
  std::vector<int64_t> workers;
  ScaleQuestion question;
  ScaleAim aim;
  ScaleView view;
};

Result<Setup> setup_of(const ScaleFlags& flags) {
  if (flags.device.empty()) return user_error("no --device is given", "for example --device nvidia-a100-40gb");
  Setup setup;
  setup.view.model = flags.model;
  PLIM_ASSIGN(setup.workers, workers_of(flags.workers));
  PLIM_TRY(read_question(flags, setup.question));
  PLIM_TRY(read_critical_batch(flags, setup.question, setup.aim));
  PLIM_TRY(read_aim(flags, setup.aim));
  PLIM_ASSIGN(setup.question.device, find_candidate(flags.device));
  setup.view.notes = setup.question.device.notes;
  PLIM_TRY(flags.wiring.read(setup.question, setup.workers.back(), setup.view.notes));
  return setup;
}

Result<int> run_scale(const ScaleFlags& flags) {
  if (flags.links) {
    fmt::print("{}", flags.json ? json_text(links_json()) : link_table());
    return int(kExitDone);
  }
  if (flags.accuracy) {
    fmt::print("{}", flags.json ? json_text(accuracy_json("scale")) : accuracy_text());
    return int(kExitDone);
  }
  if (flags.model.empty())
    return user_error("no MODEL is given", "for example scale resnet50 --device nvidia-dgx-1 --workers 1,2,4,8");
  PLIM_ASSIGN(const auto workers, workers_of(flags.workers));
  PLIM_TRY(check_plot(flags, workers));
  PLIM_ASSIGN(const Setup checked, setup_of(flags));  // before a large file is read
  PLIM_ASSIGN(const Network network, load_network(flags.model, flags.network));
  PLIM_ASSIGN(const ScaleOutcome outcome, scale_outcome(flags, network));
  const std::string text = rendered(flags, *outcome.scaling, outcome.forecast, outcome.view);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!flags.plot.empty()) {
    PLIM_TRY(write_whole_file(flags.plot, plots_svg(scale_plots(*outcome.scaling, outcome.forecast, outcome.view))));
    if (!flags.quiet) fmt::print(stderr, "Drawn in {}.\n", printable(flags.plot));
  }
  return int(outcome.forecast.aim_met ? kExitDone : kExitNo);
}

void declare_training(CLI::App& app, ScaleFlags& flags) {
  app.add_option("--samples", flags.samples, "samples of an epoch (default 50,000)")->type_name("N");
  app.add_option("--epochs", flags.epochs, "that reach the loss at the reference batch (default 1)")->type_name("N");
  app.add_option("--reference-batch", flags.reference_batch, "at which they do (default: one worker's batch)")
      ->type_name("N");
  app.add_option("--critical-batch", flags.critical_batch,
                 "where twice the samples and twice the steps of the least are needed; or a range, 800-1200")
      ->type_name("N");
  app.add_option("--noise-scale", flags.noise_scale,
                 "the gradient noise scale of a run, which stands for it, or the run's folder")
      ->type_name("N");
  app.add_option("--lr", flags.rate, "learning rate at the reference batch")->type_name("RATE");
  app.add_option("--scale-lr", flags.rule, "linear, sqrt or none (default: linear for SGD, sqrt for Adam and its kin)")
      ->type_name("RULE");
  app.add_option("--deadline", flags.deadline, "recommend the cheapest that is done by then, e.g. 8h")
      ->type_name("TIME");
  app.add_option("--budget", flags.budget, "recommend the fastest that costs no more")->type_name("USD");
  app.add_option("--by", flags.by, "else recommend by knee (time × money), time or money")->capture_default_str();
}

}  // namespace

Result<ScaleOutcome> scale_outcome(const ScaleFlags& flags, const Network& network) {
  PLIM_ASSIGN(Setup setup, setup_of(flags));
  setup.question.job.network = &network;
  ScaleOutcome outcome;
  PLIM_ASSIGN(outcome.scaling, Scaling::make(std::move(setup.question)));
  PLIM_ASSIGN(outcome.forecast, scale_forecast(*outcome.scaling, setup.workers, setup.aim));
  outcome.view = std::move(setup.view);
  PLIM_ASSIGN(outcome.view.uncounted, network.uncounted());
  add_notes(flags, *outcome.scaling, setup.workers.back(), outcome.view);
  return outcome;
}

Action declare_scale(CLI::App& app) {
  const auto flags = std::make_shared<ScaleFlags>();
  flags->declare(app);
  return with_reading_limits(app, "MODEL", [flags] { return run_scale(*flags); });
}

void ScaleFlags::declare(CLI::App& app) {
  app.description(
      "How far training scales: the time of a step on 1 to thousands of workers, what of it is exchange of gradients\n"
      "and waiting for samples; with the critical batch the steps, time and money to the same loss, and how many "
      "workers,\n"
      "which batch and which learning rate to take.");
  app.footer(
      "Examples:\n"
      "  plimsoll scale resnet50 --device nvidia-dgx-a100 --workers 1..1024 --samples 1281167 --epochs 90 "
      "--reference-batch 256 --critical-batch 15000 --lr 0.1\n"
      "  plimsoll scale vgg16 --device nvidia-t4 --workers 1,2,4,8 --link 10gbe --batch 32 --plot vgg16.svg\n"
      "  plimsoll scale alexnet --device aws-p3.16xlarge --workers 8..128 --noise-scale 4000 --epochs 60 --deadline "
      "4h\n"
      "  plimsoll scale resnet18 --device intel-i5-8250u --workers 1,2 --link 1Gbit/s:100us --global-batch 64\n"
      "Exit codes: 0 answered, 1 deadline or budget cannot be met, 2 a mistake in the flags or the file, 4 the machine "
      "failed.");
  app.add_option("MODEL", model, "a network of the zoo ('plimsoll models') or the path of an .onnx file");
  app.add_option("--device", device, "each worker, or a node of several: a name, 'this' or a file")->type_name("NAME");
  app.add_option("--workers", workers, "numbers of workers: 1,2,4,8 or 1..1024 for doublings")
      ->type_name("LIST")
      ->capture_default_str();
  network.declare(app,
                  "samples a step on each worker (default: what is done first where the critical batch is known, "
                  "else the largest under the line, at most 256)");
  app.add_option("--global-batch", global_batch, "samples a step of all workers together")->type_name("N");
  wiring.declare(app);
  declare_training(app, *this);
  step.declare(app);
  app.add_option("--framework", framework, "plimsoll, pytorch or tensorflow; pytorch on GPUs, else plimsoll")
      ->type_name("NAME");
  app.add_option("--threads", threads, "of a worker on a CPU (default: all)")->type_name("N");
  app.add_option("--load-line", load_line, "how far the memory may be filled (default 0.8)")->type_name("SHARE");
  app.add_option("--price", price, "USD per hour of the device as named, instead of the catalog's")->type_name("USD");
  loading.declare(app);
  app.add_option("--jitter", jitter,
                 "a worker's computing varies by this share from step to step, e.g. 0.02: all wait for the slowest")
      ->type_name("SHARE");
  app.add_flag("--shared-disk", shared_disk, "one disk for all nodes, instead of one on each");
  app.add_option("--plot", plot, "draw images/s, time and money against workers into this .svg file")
      ->type_name("FILE");
  app.add_flag("--accuracy", accuracy, "how far off predictions have been, against published measurements");
  app.add_flag("--links", links, "lists the links that are known, with their figures and sources");
  const auto as_json = app.add_flag("--json", json, "one JSON document");
  const auto as_csv = app.add_flag("--csv", csv, "comma-separated values, in seconds and USD");
  const auto as_markdown = app.add_flag("--markdown", markdown, "Markdown tables");
  as_json->excludes(as_csv, as_markdown);
  as_csv->excludes(as_markdown);
  app.add_flag("--quiet", quiet, "no messages besides the answer");
}

}  // namespace plimsoll
