#include "plan/ask/scale_request.h"

#include <algorithm>
#include <cmath>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "plan/ask/batch_row.h"
#include "plan/ask/frozen_network.h"
#include "plan/ask/loading_assumed.h"
#include "plan/ask/serving_request.h"
#include "plan/time/accuracy.h"

namespace plimsoll {
namespace {

constexpr int64_t kMany = 64;  // workers, of which the slowest counts
constexpr double kLargestCritical = 1e12;
constexpr double kUnknownCritical[] = {256, 1024, 4096, 16384, 65536};

Row critical_row() {
  return {.name = "critical_batch",
          .subject = Subject::training,
          .help = "batch at which training needs twice the minimum of both steps and samples; or a range, 800-1200",
          .value = "N",
          .least = 0,
          .most = kLargestCritical,
          .edge = Edge::above,
          .page = true};
}

Status set_job(const ScaleRequest& request, Job& job) {
  job.format = request.model.format();
  PLIM_ASSIGN(job.step, request.step.options());
  PLIM_TRY(check_framework(request.framework, request.step.mode));
  if (!job.trains())
    return user_error(named("mode") + " is inference, expected train: inference workers share nothing");
  job.framework = request.framework;
  job.load_line = request.load_line;
  job.batch = request.batch;
  job.samples = request.work.samples.value_or(kDefaultSamples);
  job.epochs = request.work.epochs.value_or(1);
  job.threads = request.threads;
  if (request.work.price) job.price = DollarsPerHour{*request.work.price};
  job.loading = request.loading.setup();
  return {};
}

// Of a range the middle is taken, and the answer is given for both ends too.
Status set_critical_batch(const ScaleRequest& request, ScaleQuestion& question, ScaleAim& aim) {
  if (request.critical_batch && request.noise_scale)
    return user_error(
        fmt::format("{} and {} are both given, expected one of them", named("critical_batch"), named("noise_scale")));
  std::optional<CriticalRange> critical = request.critical_batch;
  if (request.noise_scale) {
    PLIM_ASSIGN(critical, Form<CriticalRange>::parse(critical_row(), named("noise_scale"), *request.noise_scale));
  }
  if (!critical) {
    aim.supposed.assign(std::begin(kUnknownCritical), std::end(kUnknownCritical));
    return {};
  }
  question.critical_batch = critical->low;
  if (critical->high == critical->low) return {};
  question.critical_batch = std::sqrt(critical->low * critical->high);
  aim.supposed = {critical->low, critical->high};
  return {};
}

Status set_question(const ScaleRequest& request, ScaleQuestion& question) {
  PLIM_TRY(set_job(request, question.job));
  question.global_batch = request.global_batch;
  if (question.global_batch && question.job.batch)
    return user_error(
        fmt::format("{} and {} are both given, expected one of them", named("batch"), named("global_batch")),
        fmt::format("{} is per worker, {} is that of all workers together", named("batch"), named("global_batch")));
  if (question.global_batch && question.job.step.micro_batches > 1)
    return user_error(fmt::format("{} does not go with {}", named("global_batch"), named("micro_batches")),
                      fmt::format("give {}, the samples of one part", named("batch")));
  question.reference_batch = request.reference_batch;
  question.shared_disk = request.shared_disk;
  question.jitter = request.jitter.value_or(0);
  return {};
}

ScaleAim aim_of(const ScaleRequest& request) {
  ScaleAim aim;
  aim.by = request.by;
  aim.deadline = request.deadline;
  if (request.budget) aim.budget = Dollars{*request.budget};
  aim.learning_rate = request.lr;
  aim.rule = request.scale_lr;
  return aim;
}

// How far off such forecasts have been: never without it.
std::string accuracy_note(ExchangeWay way) {
  const auto rows = scaling_accuracy();
  const AccuracyRow& row = way == ExchangeWay::all_reduce ? rows.back() : rows.front();
  return fmt::format(
      "Compared with {} published runs, such forecasts of {} were off by {} in the median, by {:.2f} times "
      "at worst ({}).",
      row.rows, way == ExchangeWay::all_reduce ? "efficiency" : "speed-up", percent(row.median_error), row.worst_factor,
      named("accuracy"));
}

void add_notes(const ScaleRequest& request, const Scaling& scaling, int64_t most, ScaleView& view) {
  const ScaleQuestion& question = scaling.question();
  if (most >= kMany && !request.jitter)
    view.notes.push_back(
        fmt::format("All workers were taken to be equally fast in every step ({} SHARE).", named("jitter")));
  if (!request.work.samples)
    view.notes.push_back(
        fmt::format("{} samples were assumed ({} N).", with_commas(question.job.samples), named("samples")));
  if (!request.reference_batch)
    view.notes.push_back(fmt::format("The epochs were taken to be those of batch {} ({} N).",
                                     with_commas(scaling.reference_batch()), named("reference_batch")));
  if (const auto& price = scaling.price())
    view.notes.push_back(
        fmt::format("{} costs {:.3g} USD/h, {}.", question.device.whole.name, price->price.value, price->basis));
  if (const std::string assumed = assumed_decoding(request.loading); !assumed.empty()) view.notes.push_back(assumed);
  if (std::string text = frozen_text(request.training, request.step.mode); !text.empty())
    view.notes.push_back(std::move(text));
  if (question.job.loading.decode_per_core) {
    const std::string assumed = cores_sentence(host_cores(question.device, question.job.loading.host_cores));
    if (!assumed.empty())
      view.notes.push_back(fmt::format("{} ({} N).", assumed.substr(0, assumed.size() - 1), named("host_cores")));
  }
  if (!view.uncounted.lower_bound()) view.notes.push_back(accuracy_note(question.exchange));
}

// All that the request says, without the network.
struct Setup {
  ScaleQuestion question;
  ScaleAim aim;
  ScaleView view;
};

Result<Setup> setup_of(const ScaleRequest& request) {
  if (!request.device)
    return user_error("no " + named("device") + " is given",
                      fmt::format("for example {} nvidia-a100-40gb", named("device")));
  Setup setup;
  setup.view.model = request.model.source.name;
  setup.aim = aim_of(request);
  PLIM_TRY(set_question(request, setup.question));
  PLIM_TRY(set_critical_batch(request, setup.question, setup.aim));
  PLIM_ASSIGN(setup.question.device, find_candidate(*request.device));
  setup.view.notes = setup.question.device.notes;
  PLIM_TRY(request.wiring.apply(setup.question, request.workers.numbers.back(), setup.view.notes));
  return setup;
}

void describe_training(ScaleRequest& request, Fields& fields) {
  fields.add(request.reference_batch, {.name = "reference_batch",
                                       .subject = Subject::training,
                                       .help = "batch at which " + named("epochs") + " reach the loss",
                                       .value = "N",
                                       .fallback = "one worker's batch",
                                       .least = 1,
                                       .most = double(kLargestBatch)});
  fields.add(request.critical_batch, critical_row());
  fields.add(request.noise_scale,
             {.name = "noise_scale",
              .subject = Subject::training,
              .help = "gradient noise scale of a run, or the run's folder; used as the critical batch",
              .value = "N"});
  fields.add(request.lr, {.name = "lr",
                          .subject = Subject::training,
                          .help = "learning rate at the reference batch",
                          .value = "RATE",
                          .least = 0,
                          .most = 1e9,
                          .edge = Edge::above});
  fields.add(request.scale_lr, {.name = "scale_lr",
                                .subject = Subject::training,
                                .help = "how the learning rate grows with the batch: linear, sqrt or none",
                                .value = "RULE",
                                .fallback = "linear for SGD, sqrt for Adam and its variants"});
  fields.add(request.deadline, {.name = "deadline",
                                .subject = Subject::job,
                                .help = "recommend the cheapest setup that finishes in this time, e.g. 8h",
                                .value = "TIME",
                                .unit = "seconds"});
  fields.add(request.budget, {.name = "budget",
                              .subject = Subject::job,
                              .help = "recommend the fastest setup that costs no more than this",
                              .value = "USD",
                              .unit = "USD",
                              .least = 0,
                              .most = 1e15,
                              .edge = Edge::above});
  fields.add(request.by, {.name = "by",
                          .subject = Subject::job,
                          .help = "without a deadline or budget: recommend by knee (time × money), time or money",
                          .value = "WHAT"});
}

}  // namespace

int64_t ScaleOutcome::most_workers() const {
  int64_t most = 1;
  for (const auto& run : forecast.runs) most = std::max(most, run.workers);
  return most;
}

void ScaleRequest::describe(Fields& fields) {
  model.describe(fields);
  fields.add(device,
             {.name = "device",
              .subject = Subject::machine,
              .help = "device of each worker, or a node of several: a name, 'this' or the path of a device file",
              .value = "NAME",
              .page = true});
  fields.add(workers, {.name = "workers",
                       .subject = Subject::workers,
                       .help = "numbers of workers: 1,2,4,8, or 1..1024 to double each time",
                       .value = "LIST",
                       .least = 1,
                       .most = double(kMostWorkers),
                       .page = true});
  fields.add(batch, batch_row("samples per step on each worker",
                              "the one that finishes first where the critical batch is known, else the largest under "
                              "the line, at most 256"));
  fields.add(global_batch, {.name = "global_batch",
                            .subject = Subject::step,
                            .help = "samples per step of all workers together",
                            .value = "N",
                            .least = 1,
                            .most = double(kLargestBatch)});
  wiring.describe(fields);
  work.describe(fields, "samples per epoch", "epochs that reach the loss at the reference batch",
                "price of the named device in USD per hour");
  describe_training(*this, fields);
  step.describe(fields);
  training.describe(fields, false);
  fields.add(attention, attention_row());
  fields.add(search,
             {.name = "search",
              .subject = Subject::workers,
              .help = "for a language model: search for the best division of the devices, sharding and recomputation",
              .page = true});
  fields.add(framework, framework_row());
  fields.add(threads, {.name = "threads",
                       .subject = Subject::machine,
                       .help = "threads per worker on a CPU",
                       .value = "N",
                       .fallback = "all",
                       .least = 1,
                       .most = 1e6});
  fields.add(load_line, load_line_row());
  loading.describe(fields);
  fields.add(
      jitter,
      {.name = "jitter",
       .subject = Subject::workers,
       .help = "share by which a worker's compute time varies from step to step, e.g. 0.02; all wait for the slowest",
       .value = "SHARE",
       .least = 0,
       .most = 1});
  fields.add(
      shared_disk,
      {.name = "shared_disk", .subject = Subject::workers, .help = "all nodes share one disk, instead of one each"});
  fields.add(accuracy, {.name = "accuracy",
                        .subject = Subject::view,
                        .help = "show how far predictions have been from published measurements"});
  fields.add(
      links,
      {.name = "links", .subject = Subject::view, .help = "list the known links, with their figures and sources"});
}

Status check(const ScaleRequest& request) {
  if (request.model.source.empty())
    return user_error("no MODEL is given", fmt::format("for example scale resnet50 {} nvidia-dgx-1 {} 1,2,4,8",
                                                       named("device"), named("workers")));
  PLIM_TRY(setup_of(request));
  return {};
}

Result<ScaleOutcome> ask_scale(const ScaleRequest& request, const Network& network) {
  PLIM_ASSIGN(Setup setup, setup_of(request));
  setup.question.job.network = &network;
  ScaleOutcome outcome;
  PLIM_ASSIGN(outcome.scaling, Scaling::make(std::move(setup.question)));
  PLIM_ASSIGN(outcome.forecast, scale_forecast(*outcome.scaling, request.workers.numbers, setup.aim));
  outcome.view = std::move(setup.view);
  PLIM_ASSIGN(outcome.view.uncounted, network.uncounted());
  add_notes(request, *outcome.scaling, request.workers.numbers.back(), outcome.view);
  return outcome;
}

Result<WorkerCounts> Form<WorkerCounts>::parse(const Row&, const std::string& called, const std::string& text) {
  WorkerCounts counts{{}};
  for (const auto& part : split(text, ',')) {
    const size_t dots = part.find("..");
    PLIM_ASSIGN(const int64_t from, parse_integer(called, part.substr(0, dots), 1, kMostWorkers));
    int64_t to = from;
    if (dots != std::string::npos) {
      PLIM_ASSIGN(to, parse_integer(called, part.substr(dots + 2), from, kMostWorkers));
    }
    for (int64_t number = from; number < to; number *= 2) counts.numbers.push_back(number);
    counts.numbers.push_back(to);
  }
  std::sort(counts.numbers.begin(), counts.numbers.end());
  counts.numbers.erase(std::unique(counts.numbers.begin(), counts.numbers.end()), counts.numbers.end());
  return counts;
}

Result<WorkerCounts> Form<WorkerCounts>::read(const Row& row, const std::string& called, const Json& json) {
  if (json.is_string()) return parse(row, called, json.get<std::string>());
  PLIM_ASSIGN(auto numbers, Form<std::vector<int64_t>>::read(row, called, json));
  if (numbers.empty()) return wrong_json(called, json, "at least one number");
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return WorkerCounts{std::move(numbers)};
}

Json Form<WorkerCounts>::schema(const Row& row) {
  Json schema = Form<std::vector<int64_t>>::schema(row);
  schema["anyOf"].push_back({{"type", "string"}});
  return schema;
}

Result<CriticalRange> Form<CriticalRange>::parse(const Row& row, const std::string& called, const std::string& text) {
  const size_t dash = text.find('-', 1);
  CriticalRange batch;
  PLIM_ASSIGN(batch.low, parse_number(called, text.substr(0, dash), 0, Edge::above, row.most));
  batch.high = batch.low;
  if (dash == std::string::npos) return batch;
  PLIM_ASSIGN(batch.high, parse_number(called, text.substr(dash + 1), batch.low, Edge::included, row.most));
  return batch;
}

Result<CriticalRange> Form<CriticalRange>::read(const Row& row, const std::string& called, const Json& json) {
  if (json.is_string()) return parse(row, called, json.get<std::string>());
  PLIM_ASSIGN(const double number, number_of(row, called, json));
  return CriticalRange{number, number};
}

Json Form<CriticalRange>::write(const CriticalRange& value) {
  if (value.low == value.high) return value.low;
  return fmt::format("{}-{}", value.low, value.high);
}

Json Form<CriticalRange>::schema(const Row& row) {
  return {{"anyOf", {Form<double>::schema(row), Json{{"type", "string"}}}}};
}

}  // namespace plimsoll
