#include "run/train/train_request.h"

#include <cmath>

#include "base/rows/named.h"
#include "model/optim/all_optimizers.h"
#include "model/optim/presets.h"
#include "plan/ask/step_request.h"
#include "run/dist/watch.h"
#include "run/exec/device_row.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostStarted = 100'000, kMostEpochs = 1'000'000, kMostSteps = 1'000'000'000'000;

std::string backend_names() {
  std::string names;
  for (const auto* backend : all_backends()) names += (names.empty() ? "" : " or ") + std::string(backend->name());
  return names;
}

// Of this call, not of the run.
Row this_call(Row row) {
  row.resume = OnResume::not_kept;
  row.workers_differ = true;
  return row;
}

Row share_row(const char* name, std::string help, double most) {
  return {
      .name = name, .subject = Subject::training, .help = std::move(help), .value = "SHARE", .least = 0, .most = most};
}

void describe_length(TrainRequest& request, Fields& fields) {
  fields.add(request.epochs, {.name = "epochs",
                              .subject = Subject::training,
                              .help = "passes over the training set",
                              .value = "N",
                              .least = 1,
                              .most = double(kMostEpochs),
                              .resume = OnResume::may_change});
  fields.add(request.max_steps, {.name = "max_steps",
                                 .subject = Subject::training,
                                 .help = "stop after N steps, those before " + named("resume") + " included",
                                 .value = "N",
                                 .least = 1,
                                 .most = double(kMostSteps),
                                 .resume = OnResume::not_kept});
  fields.add(request.early_stop,
             {.name = "early_stop",
              .subject = Subject::training,
              .help = "stop after N epochs without a better validation result; keep the best epoch's weights",
              .value = "N",
              .least = 1,
              .most = double(kMostEpochs),
              .resume = OnResume::may_change});
  fields.add(request.monitor, {.name = "monitor",
                               .subject = Subject::training,
                               .help = "what decides which epoch is better: accuracy or loss",
                               .value = "WHAT",
                               .fallback = "accuracy; loss for language models"});
  fields.add(request.save_best, {.name = "save_best",
                                 .subject = Subject::training,
                                 .help = "keep the best epoch's weights and use them at the end"});
  fields.add(request.on_nan,
             {.name = "on_nan",
              .subject = Subject::training,
              .help = "when the loss is not a number: stop, skip the update, or reload the last checkpoint",
              .value = "HOW",
              .resume = OnResume::may_change});
  fields.add(request.seed, {.name = "seed",
                            .subject = Subject::training,
                            .help = "seed of weights, order, augmentation and dropout",
                            .value = "N",
                            .least = 0,
                            .most = 0x1p63});
}

void describe_descent(TrainRequest& request, Fields& fields) {
  Row optimizer = optimizer_row();
  optimizer.subject = Subject::training;
  fields.add(request.optimizer, optimizer);
  fields.add(request.lr, {.name = "lr",
                          .subject = Subject::training,
                          .help = "learning rate",
                          .value = "RATE",
                          .fallback = usual_rates(),
                          .least = 0,
                          .most = 1e6,
                          .edge = Edge::above});
  fields.add(request.schedule, {.name = "schedule",
                                .subject = Subject::training,
                                .help = "how the learning rate changes: constant, cosine, poly[:POWER] or "
                                        "step[:EPOCHS[:FACTOR]] (by default to a tenth "
                                        "after each third)",
                                .value = "HOW"});
  fields.add(request.warmup,
             {.name = "warmup",
              .subject = Subject::training,
              .help = "steps over which the learning rate rises to " + named("lr") + ", or epochs: 500, 5epochs",
              .value = "N"});
  fields.add(request.warmup_from,
             {.name = "warmup_from",
              .subject = Subject::training,
              .help = "where the warm-up begins: zero, or workers (the rate divided by their number)",
              .value = "WHERE",
              .fallback = "workers with " + named("scale_lr") + ", else zero"});
  fields.add(request.scale_lr,
             {.name = "scale_lr",
              .subject = Subject::training,
              .help = "how " + named("lr") + " grows with the number of workers: linear, sqrt or none",
              .value = "HOW"});
  fields.add(request.weight_decay, share_row("weight_decay", "how strongly weights are pulled towards zero", 1));
  Row momentum = share_row("momentum", "share of the last update that is kept, for " + optimizers_with_momentum(), 1);
  momentum.fallback = "0.9";
  fields.add(request.momentum, momentum);
  fields.add(request.label_smoothing,
             share_row("label_smoothing", "share of each target that is spread over all classes", 0.99));
  Row loss = loss_row();
  loss.subject = Subject::training;
  fields.add(request.loss, loss);
  fields.add(request.batchnorm,
             {.name = "batchnorm",
              .subject = Subject::training,
              .help = "samples that batch norms take their statistics over: local (each worker's batch), "
                      "sync (all workers'), ghost:32 (groups of 32)",
              .value = "WHICH"});
  fields.add(request.renew_norms, {.name = "renew_norms",
                                   .subject = Subject::training,
                                   .help = "after training, recompute the statistics of batch norms over N batches; "
                                           "needed after few, large steps",
                                   .value = "N",
                                   .least = 1,
                                   .most = double(kMostSteps)});
}

void describe_run(TrainRequest& request, Fields& fields) {
  fields.add(request.run_dir, this_call({.name = "run_dir",
                                         .subject = Subject::output,
                                         .help = "where the run is kept",
                                         .value = "DIR",
                                         .fallback = "runs/MODEL-N"}));
  fields.add(request.resume, this_call({.name = "resume",
                                        .subject = Subject::output,
                                        .help = "continue the run in " + named("run_dir") +
                                                "; settings that are not given stay as they were"}));
  fields.add(request.save_every, {.name = "save_every",
                                  .subject = Subject::output,
                                  .help = "how often to save a checkpoint within an epoch: 10min, 90s, 200steps",
                                  .value = "WHEN",
                                  .fallback = "10min",
                                  .resume = OnResume::may_change});
}

void describe_machine(TrainRequest& request, Fields& fields) {
  fields.add(request.device, device_row());
  fields.add(request.compute, compute_row());
  fields.add(request.threads, threads_row());
  fields.add(request.conv, conv_row());
  fields.add(request.backend, {.name = "backend",
                               .subject = Subject::engine,
                               .help = backend_names() + " (slow, exact)",
                               .value = "NAME",
                               .fallback = std::string(all_backends().front()->name())});
  fields.add(request.memory, {.name = "memory",
                              .subject = Subject::machine,
                              .help = "memory that the run may use",
                              .value = "SIZE",
                              .fallback = "this machine's, or its container's",
                              .unit = "bytes",
                              .resume = OnResume::may_change,
                              .workers_differ = true});
  fields.add(request.load_line, load_line_row());
}

void describe_workers(TrainRequest& request, Fields& fields) {
  fields.add(request.np, this_call({.name = "np",
                                    .subject = Subject::workers,
                                    .help = "number of workers, started through mpirun; " + named("batch") +
                                            " is for each of them (also -np)",
                                    .value = "N",
                                    .fallback = "1",
                                    .least = 1,
                                    .most = double(kMostStarted)}));
  fields.add(request.hosts, this_call({.name = "hosts",
                                       .subject = Subject::workers,
                                       .help = "machines, each with its number of workers: a:4,b:4",
                                       .value = "LIST",
                                       .fallback = "this one"}));
  Row wire = wire_row();
  wire.help = "number format in which workers exchange gradients: f32, bf16 or f16; the rounding error is reported";
  wire.fallback = "f32";
  fields.add(request.wire, wire);
  fields.add(request.same_batches,
             {.name = "same_batches",
              .subject = Subject::workers,
              .help = "give all workers the same samples, to show what a run that forgot to divide them is worth"});
  fields.add(request.max_restarts,
             this_call({.name = "max_restarts",
                        .subject = Subject::workers,
                        .help = "how many times to restart a run that lost a worker, from its last checkpoint",
                        .value = "N",
                        .least = 0,
                        .most = 1e6}));
  fields.add(request.silence,
             this_call({.name = "silence",
                        .subject = Subject::workers,
                        .help = "consider a worker lost after this many seconds without a sign of life",
                        .value = "SECONDS",
                        .unit = "seconds",
                        .least = 1,
                        .most = 1e6}));
}

}  // namespace

void TrainRequest::describe(Fields& fields) {
  model.describe(fields);
  fields.add(batch, {.name = "batch",
                     .subject = Subject::step,
                     .help = "samples per step, or auto: as many as stay under the load line, at most 256",
                     .value = "N",
                     .least = 1,
                     .most = double(kLargestBatch)});
  Row parts = micro_batches_row();
  parts.help =
      "add up the gradients of N batches of " + named("batch") + " samples before each update, in the memory of one";
  fields.add(micro_batches, parts);
  data.describe(fields);
  describe_length(*this, fields);
  describe_descent(*this, fields);
  describe_machine(*this, fields);
  describe_workers(*this, fields);
  describe_run(*this, fields);
}

Result<const Backend*> TrainRequest::chosen_backend() const {
  PLIM_TRY(check_format(compute, device));
  return backend_on(device, backend);
}

Result<StepOptions> TrainRequest::step_options() const {
  StepOptions options;
  PLIM_ASSIGN(const OptimizerChoice chosen, choose_optimizer(optimizer.value_or(std::string(kDefaultOptimizer))));
  options.optimizer = chosen.optimizer;
  options.optimizer_settings = chosen.settings;
  if (momentum && !chosen.optimizer->takes_momentum)
    return user_error(fmt::format("{} is for {}, the optimizer is {}", named("momentum"), optimizers_with_momentum(),
                                  chosen.optimizer->name),
                      named("optimizer") + " momentum is gradient descent with momentum");
  if (momentum) options.optimizer_settings.set("momentum", *momentum);
  if (weight_decay) options.optimizer_settings.set("weight_decay", *weight_decay);
  options.label_smoothing = label_smoothing.value_or(0);
  options.loss = loss.value_or(Loss::automatic);
  options.micro_batches = micro_batches.value_or(1);
  PLIM_ASSIGN(const Backend* runs_it, chosen_backend());
  options.fuse = runs_it->takes_fused();
  return options;
}

BatchNormGroups TrainRequest::batch_norm(int64_t workers) const {
  if (batchnorm.over == BatchNormOver::ghosts) return {BatchNormOver::ghosts, batchnorm.ghost, 1};
  if (batchnorm.over == BatchNormOver::workers && workers > 1) return {BatchNormOver::workers, 0, workers};
  return {};  // of one worker they are its own
}

Result<Schedule> TrainRequest::made_schedule(int64_t steps_per_epoch, int64_t workers) const {
  Schedule made;
  PLIM_ASSIGN(const StepOptions step, step_options());
  made.base = lr.value_or(step.optimizer->usual_rate);
  if (scale_lr != RateRule::none)
    made.base *= scale_lr == RateRule::linear ? double(workers) : std::sqrt(double(workers));
  const WarmupFrom usual = scale_lr == RateRule::none ? WarmupFrom::zero : WarmupFrom::workers;
  if (warmup_from.value_or(usual) == WarmupFrom::workers) made.warm_from = 1 / double(workers);
  made.steps = epochs * steps_per_epoch;
  PLIM_TRY(parse_schedule(schedule, epochs, steps_per_epoch, made));
  if (warmup) {
    PLIM_ASSIGN(made.warmup, parse_warmup(*warmup, steps_per_epoch));
  }
  return made;
}

DType TrainRequest::wire_format() const { return wire ? *dtype_named(*wire) : DType::f32; }

void TrainRequest::fill(TrainerSetup& setup) const {
  setup.epochs = epochs;
  setup.seed = uint64_t(seed);
  setup.max_steps = max_steps;
  setup.patience = early_stop;
  setup.save_every = save_every.time;
  setup.save_every_steps = save_every.steps;
  setup.save_best = save_best;
  setup.same_batches = same_batches;
  setup.renewed_batches = renew_norms.value_or(0);
  setup.monitor = monitor.value_or(Monitor::accuracy);
  setup.on_nan = on_nan;
}

Result<TrainBatch> Form<TrainBatch>::parse(const Row& row, const std::string& called, const std::string& text) {
  if (text == "auto") return TrainBatch{std::nullopt};
  PLIM_ASSIGN(const int64_t samples, Form<int64_t>::parse(row, called, text));
  return TrainBatch{samples};
}

Result<TrainBatch> Form<TrainBatch>::read(const Row& row, const std::string& called, const Json& json) {
  if (json == "auto") return TrainBatch{std::nullopt};
  PLIM_ASSIGN(const int64_t samples, Form<int64_t>::read(row, called, json));
  return TrainBatch{samples};
}

Json Form<TrainBatch>::schema(const Row& row) {
  return {{"anyOf", {Form<int64_t>::schema(row), Json{{"const", "auto"}}}}};
}

Result<BatchNormRequest> Form<BatchNormRequest>::parse(const Row&, const std::string& called, const std::string& text) {
  BatchNormRequest request;
  if (text == "local") return request;
  if (text == "sync") {
    request.over = BatchNormOver::workers;
    return request;
  }
  if (!text.starts_with("ghost"))
    return user_error(fmt::format("{} is {}, expected local, sync or ghost:N", called, in_quotes(text)));
  request.over = BatchNormOver::ghosts;
  if (text == "ghost") return request;
  if (text[5] != ':') return user_error(fmt::format("{} is {}, expected ghost:N", called, in_quotes(text)));
  PLIM_ASSIGN(request.ghost, parse_integer(called, text.substr(6), 1, kLargestBatch));
  return request;
}

Json Form<BatchNormRequest>::write(const BatchNormRequest& value) {
  if (value.over == BatchNormOver::workers) return "sync";
  return value.over == BatchNormOver::ghosts ? fmt::format("ghost:{}", value.ghost) : std::string("local");
}

Result<SaveEvery> Form<SaveEvery>::parse(const Row&, const std::string& called, const std::string& text) {
  constexpr std::string_view kSteps = "steps";
  SaveEvery every;
  if (!text.ends_with(kSteps)) {
    PLIM_ASSIGN(every.time, parse_time(called, text));
    return every;
  }
  PLIM_ASSIGN(every.steps, parse_integer(called, text.substr(0, text.size() - kSteps.size()), 1, kMostSteps));
  return every;
}

Json Form<SaveEvery>::write(const SaveEvery& value) {
  return value.steps ? fmt::format("{}steps", *value.steps) : fmt::format("{}s", value.time.value);
}

}  // namespace plimsoll
