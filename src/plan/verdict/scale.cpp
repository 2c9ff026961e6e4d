#include "plan/verdict/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/time/data_parallel.h"
#include "plan/time/slowest.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestTried = 65'536;  // batch of one worker

// All up to 64, then a few for each doubling; whole nodes where there are several workers on each.
std::vector<int64_t> numbers_to_try(int64_t most, int64_t per_node) {
  std::vector<int64_t> numbers;
  for (double next = 1; next <= double(most); next = next < 64 ? next + 1 : next * 1.05) {
    auto number = int64_t(next);
    if (number > per_node) number = std::min(most, (number + per_node - 1) / per_node * per_node);
    if (numbers.empty() || number > numbers.back()) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

double money_of(const ScaleRun& run) { return run.cost ? run.cost->value : run.machine_seconds; }

Scaling::Scaling(ScaleQuestion question)
    : question_(std::move(question)), worker_(question_.device), placing_(question_.job) {
  worker_.count = 1;
}

Result<std::unique_ptr<Scaling>> Scaling::make(ScaleQuestion question) {
  std::unique_ptr<Scaling> scaling(new Scaling(std::move(question)));
  PLIM_TRY(scaling->start());
  return scaling;
}

Status Scaling::start() {
  batch_ = question_.job.batch;
  if (question_.global_batch) batch_ = *question_.global_batch;
  if (!batch_) {
    PLIM_ASSIGN(const JobPlacement chosen, placing_.on(worker_));
    batch_ = chosen.batch;
  }
  PLIM_ASSIGN(alone_, worker_at(*batch_));
  if (question_.global_batch) batch_ = std::nullopt;
  PLIM_ASSIGN(const int64_t largest, placing_.largest_batch_on(worker_));
  largest_ = std::clamp<int64_t>(largest, 1, kLargestTried);
  reference_ = question_.reference_batch.value_or(alone_->at_once);
  price_ = hourly_price(question_.device.whole);
  if (question_.job.price) price_ = HourlyPrice{*question_.job.price, true, "as given"};
  return {};
}

Result<const JobPlacement*> Scaling::worker_at(int64_t batch) {
  if (const auto found = workers_.find(batch); found != workers_.end()) return &found->second;
  const auto asked = question_.job.batch;
  question_.job.batch = batch;  // Placing borrows the job
  auto placed = placing_.on(worker_);
  question_.job.batch = asked;
  if (!placed.ok()) return std::move(placed).error();
  return &(workers_[batch] = *std::move(placed));
}

Status Scaling::exchange(ScaleRun& run, const JobPlacement& worker) {
  if (run.workers == 1) return {};
  PLIM_ASSIGN(const Placing::Demands demands, placing_.demands_on(worker_, run.batch));
  ExchangeRule rule = question_.rule;
  rule.core = exchange_core_time(worker_.part, question_.job.threads, question_.wiring.nodes(run.workers) > 1);
  run.exchange = exchange_gradients(*demands.program, worker.compute, run.workers, question_.wiring, rule);
  if (question_.exchange == ExchangeWay::all_reduce) return {};
  PLIM_ASSIGN(const Seconds step, data_parallel_time(*demands.program, worker_.part, demands.execution, run.workers));
  const double longer = step.value + worker.compute.update.value - worker.compute.total.value;
  run.exchange.alone = run.exchange.exposed = {std::max(0.0, longer)};
  run.exchange.way = AllReduceWay::none;
  return {};
}

// Workers of one node share its cores and its disk.
void Scaling::load(ScaleRun& run, const JobPlacement& worker) {
  StageTimes stages = worker.stages;
  const LoadingSetup setup = placing_.loading_on(worker_);
  const int64_t here = std::min(run.workers, question_.wiring.per_node);
  if (const auto rate = loading_rate(setup); rate.ok()) {
    const StageTimes loading = loading_times(setup, *rate, worker.at_once * here, !worker_.is_gpu());
    stages.disk = {loading.disk.value * (question_.shared_disk ? double(run.nodes) : 1)};
    stages.decode = loading.decode;
    stages.decode_on_device = loading.decode_on_device;
  }
  const double busy = run.compute.value + run.straggling.value + run.exchange.exposed.value;
  stages.compute = {busy};
  const Pace paced = pace(stages, true);
  run.step = paced.step;
  run.waiting = {std::max(0.0, paced.step.value - busy)};
  const bool computes = paced.bound_by == stages.compute_bound;
  run.bound_by = computes && run.exchange.exposed > run.compute ? "communication" : name_of(paced.bound_by);
}

// Where the batch of all is given, against one worker with all of it; else against one with its own batch.
Status Scaling::compare(ScaleRun& run, const JobPlacement& worker) {
  const JobPlacement* one = &worker;
  if (question_.global_batch) {
    PLIM_ASSIGN(one, worker_at(*question_.global_batch));
  }
  run.efficiency = run.samples_per_second / (double(run.workers) * one->samples_per_second);
  return {};
}

Result<ScaleRun> Scaling::step_on(int64_t workers, int64_t batch) {
  if (const auto found = steps_.find({workers, batch}); found != steps_.end()) return found->second;
  PLIM_ASSIGN(const JobPlacement* worker, worker_at(batch));
  ScaleRun run;
  run.workers = workers;
  run.nodes = question_.wiring.nodes(workers);
  run.batch = batch;
  run.global_batch = question_.global_batch.value_or(workers * worker->at_once);
  run.fits = worker->fits;
  run.peak = worker->peak;
  run.compute = worker->compute.total;
  run.straggling = {run.compute.value * question_.jitter * slowest_of(workers)};
  PLIM_TRY(exchange(run, *worker));
  load(run, *worker);
  run.samples_per_second = double(run.global_batch) / run.step.value;
  PLIM_TRY(compare(run, *worker));
  return steps_[{workers, batch}] = run;
}

void Scaling::finish(ScaleRun& run, std::optional<double> critical_batch) const {
  const auto samples = double(question_.job.samples), epochs = double(question_.job.epochs);
  const auto batch = double(run.global_batch);
  run.steps = critical_batch ? std::ceil(LargeBatch(*critical_batch, double(reference_), samples * epochs).steps(batch))
                             : epochs * std::ceil(samples / batch);
  run.samples = run.steps * batch;
  run.total = {run.steps * run.step.value};
  // What is rented or bought is paid for as a whole.
  const int64_t several = question_.device.count;
  const int64_t machines = (run.workers + several - 1) / several;
  run.machine_seconds = double(machines) * run.total.value;
  if (price_) run.cost = cost_of({run.machine_seconds}, price_->price);
}

Result<ScaleRun> Scaling::with_best_batch(int64_t workers, double critical_batch) {
  std::optional<ScaleRun> best;
  for (int64_t batch = 1; batch <= largest_; batch *= 2) {
    PLIM_ASSIGN(ScaleRun run, step_on(workers, batch));
    finish(run, critical_batch);
    if (!best || run.total < best->total) best = run;
  }
  return *best;
}

Result<ScaleRun> Scaling::on(int64_t workers, std::optional<double> critical_batch) {
  if (question_.exchange == ExchangeWay::one_process && workers > question_.wiring.per_node && workers > 1 &&
      question_.wiring.per_node > 1)
    return user_error(fmt::format("one process cannot drive {} workers, expected at most the {} of one node",
                                  with_commas(workers), question_.wiring.per_node));
  if (chooses_batch() && critical_batch) return with_best_batch(workers, *critical_batch);
  if (question_.global_batch && workers > *question_.global_batch)
    return user_error(fmt::format("{} workers cannot share a batch of {}, expected a sample for each",
                                  with_commas(workers), with_commas(*question_.global_batch)));
  const int64_t batch = batch_ ? *batch_ : (*question_.global_batch + workers - 1) / workers;
  PLIM_ASSIGN(ScaleRun run, step_on(workers, batch));
  finish(run, critical_batch);
  return run;
}

Result<ScaleRun> Scaling::knee(std::optional<double> critical_batch, int64_t most) {
  if (question_.global_batch) most = std::min(most, *question_.global_batch);
  if (question_.exchange == ExchangeWay::one_process) most = std::min(most, question_.wiring.per_node);
  std::optional<ScaleRun> best;
  double least = std::numeric_limits<double>::infinity();
  for (const int64_t workers : numbers_to_try(most, question_.wiring.per_node)) {
    PLIM_ASSIGN(const ScaleRun run, on(workers, critical_batch));
    const double product = run.total.value * money_of(run);
    if (best && product >= least) continue;
    best = run;
    least = product;
  }
  return *best;
}

}  // namespace plimsoll
