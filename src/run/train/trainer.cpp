#include "run/train/trainer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/text.h"
#include "model/ir/program_lookup.h"
#include "run/train/checkpoint.h"
#include "run/train/evaluate_network.h"
#include "run/train/interruption.h"
#include "run/train/staging.h"
#include "run/train/step_log.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;
// Not the wall clock: that one may jump.
using Clock = std::chrono::steady_clock;

constexpr int kMostTroubles = 10;  // batches in a row that are not finite before a run that skips them ends
constexpr int64_t kMostLoggedSteps = 20'000;
constexpr double kShortEpoch = 2;    // seconds
constexpr double kPaceMemory = 0.9;  // how much of the pace so far counts beside the latest step

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Buffers (running statistics) as they were before a step that may have to be taken back.
class BufferCopy {
 public:
  explicit BufferCopy(const Program& program) {
    for (const ValueId id : stored_values(program, CheckpointKind::best))
      if (program.value(id).role == Role::buffer)
        copies_.push_back({id, std::vector<std::byte>(size_t(program.value(id).type->bytes().value()))});
  }
  void keep(const Executor& step) {
    for (auto& copy : copies_) step.read(copy.id, copy.bytes);
  }
  void restore(Executor& step) const {
    for (const auto& copy : copies_) step.write(copy.id, copy.bytes);
  }

 private:
  struct Copy {
    ValueId id;
    std::vector<std::byte> bytes;
  };
  std::vector<Copy> copies_;
};

class Trainer {
 public:
  Trainer(TrainerSetup& setup, TrainingWatcher& watcher)
      : setup_(setup),
        watcher_(watcher),
        step_(*setup.step),
        state_(setup.state),
        learning_rate_(input_named(step_.program(), "learning_rate")),
        number_(input_named(step_.program(), "step")),
        counters_(input_named(step_.program(), "random_counters")),
        log_(*setup.directory, [&watcher](const std::string& sentence) { watcher.message(sentence); }),
        buffers_(step_.program()) {}

  Result<TrainingOutcome> run();

 private:
  enum class After { next, epoch_over, stop };

  Result<After> take_step();
  void write_inputs(const Batch& batch);
  Result<bool> not_finite(const Batch& batch);
  void tell(const Batch& batch, double loss, int64_t correct);
  EpochReport report(bool complete) const;
  Status end_epoch();
  Result<std::optional<Tally>> evaluate(const DatasetPtr& dataset);
  Status validate(EpochReport& report);
  void judge_epoch(const EpochReport& report);
  void save(CheckpointKind kind);
  Status finish();
  bool stop_asked();

  int64_t steps_left_to() const {
    const int64_t all = setup_.epochs * loader_->batches();
    return setup_.max_steps ? std::min(*setup_.max_steps, all) : all;
  }

  TrainerSetup& setup_;
  TrainingWatcher& watcher_;
  Executor& step_;
  TrainingState state_;
  ValueId learning_rate_, number_, counters_;
  StepLog log_;
  BufferCopy buffers_;
  Utilisation utilisation_;
  std::unique_ptr<Loader> loader_;
  TrainingOutcome outcome_;
  bool ended_ = false;
  int troubles_ = 0;
  double rate_ = 0;  // of the latest step
  double pace_ = 0;  // seconds a step, lately
  double computed_ = 0;
  int64_t log_every_ = 1;
  int64_t saved_step_ = -1;  // of the last checkpoint; -1: none by this process
  Clock::time_point saved_at_ = Clock::now();
};

void Trainer::write_inputs(const Batch& batch) {
  const auto rate = float(rate_);
  const int64_t number = state_.updates + 1;
  const int64_t counters[3] = {int64_t(setup_.seed), state_.step + 1, batch.first};
  step_.write(step_.program().inputs.at(0), batch.inputs);
  setup_.judge->write_targets(step_, batch.labels);
  if (learning_rate_.present()) step_.write(learning_rate_, std::as_bytes(std::span(&rate, 1)));
  if (number_.present()) step_.write(number_, std::as_bytes(std::span(&number, 1)));
  if (counters_.present()) step_.write(counters_, std::as_bytes(std::span(counters)));
}

// The step that was computed is not to be used. True: go on with the next batch.
Result<bool> Trainer::not_finite(const Batch& batch) {
  write_inputs(batch);
  const std::string layer = step_.first_not_finite().value_or("the update's input");
  const std::string what = fmt::format("step {}: the loss or a gradient is not a finite number, first at {}",
                                       state_.step + 1, plimsoll::in_quotes(layer));
  log_.event("not_finite", {{"step", state_.step + 1}, {"layer", layer}});
  const bool again = ++troubles_ < kMostTroubles;
  if (setup_.on_nan == OnNan::skip && again) {
    buffers_.restore(step_);
    watcher_.message(what + "; its update is left out");
    return true;
  }
  if (setup_.on_nan == OnNan::reload && again) {
    PLIM_ASSIGN(const auto checkpoint, read_checkpoint(setup_.directory->path(), CheckpointKind::last));
    if (checkpoint) {
      PLIM_TRY(load_tensors(*checkpoint, step_));
      state_.updates = checkpoint->state.updates;
      watcher_.message(fmt::format("{}; going on with the parameters of step {}", what, checkpoint->state.step));
      return true;
    }
  }
  outcome_.why = what + ". The parameters are those before this step; a smaller --lr or a --warmup may help";
  return false;
}

void Trainer::tell(const Batch& batch, double loss, int64_t correct) {
  const double per_second = pace_ > 0 ? double(setup_.loader.batch) / pace_ : 0;
  const int64_t last = steps_left_to();
  if (state_.step % log_every_ == 0 || state_.step == last)
    log_.step({state_.step, state_.epoch + 1, loss, double(correct) / double(batch.samples), rate_, per_second});
  if (const auto samples = utilisation_.take(); !samples.empty()) log_.utilisation(samples, state_.step);
  watcher_.step_done({&state_, setup_.epochs, loader_->batches(), last, loss, rate_, per_second,
                      Seconds{pace_ * double(last - state_.step)}});
}

Result<Trainer::After> Trainer::take_step() {
  const auto before = Clock::now();
  PLIM_ASSIGN(const auto batch, loader_->next());
  if (!batch) return After::epoch_over;
  const double waited = seconds_since(before);
  rate_ = setup_.schedule.at(state_.step);
  if (setup_.on_nan == OnNan::skip) buffers_.keep(step_);
  write_inputs(*batch);
  step_.compute();
  float loss = 0;
  step_.read(step_.program().loss, std::as_writable_bytes(std::span(&loss, 1)));
  int64_t correct = 0;
  if (step_.finite()) {
    correct = setup_.judge->count_correct(step_, batch->labels, batch->samples);
    step_.update();
    ++state_.updates;
    troubles_ = 0;
    state_.running.add(double(loss), batch->samples, correct);
  } else {
    PLIM_ASSIGN(const bool go_on, not_finite(*batch));
    if (!go_on) {
      outcome_.end = TrainingEnd::not_finite;
      ended_ = true;
      return After::stop;
    }
    ++outcome_.skipped_updates;
  }
  ++state_.step;
  ++state_.batch;
  const double took = seconds_since(before);
  // The first step touches memory for the first time and says little about the others.
  if (++outcome_.steps > 1) computed_ += took - waited;
  pace_ = pace_ == 0 || outcome_.steps < 3 ? took : kPaceMemory * pace_ + (1 - kPaceMemory) * took;
  state_.epoch_seconds.value += took;
  state_.seconds.value += took;
  tell(*batch, double(loss), correct);
  return After::next;
}

bool Trainer::stop_asked() {
  const StopAsked asked = Interruption::asked();
  if (asked == StopAsked::no) return false;
  outcome_.end = asked == StopAsked::interrupted ? TrainingEnd::interrupted : TrainingEnd::terminated;
  return ended_ = true;
}

EpochReport Trainer::report(bool complete) const {
  EpochReport report;
  report.epoch = state_.epoch + 1;
  report.steps = state_.batch;
  report.complete = complete;
  report.train_loss = state_.running.loss();
  report.train_accuracy = state_.running.accuracy();
  report.seconds = state_.epoch_seconds;
  if (report.seconds.value > 0) report.images_per_second = double(state_.running.samples) / report.seconds.value;
  report.learning_rate = rate_;
  return report;
}

Result<std::optional<Tally>> Trainer::evaluate(const DatasetPtr& dataset) {
  if (!dataset) return std::optional<Tally>();
  watcher_.evaluation_begins();
  step_.release();  // the evaluation's loader takes memory too
  PLIM_ASSIGN(const auto inference, setup_.inference());
  PLIM_ASSIGN(const Evaluated result, evaluate_network(*inference, *setup_.judge, dataset, setup_.loader));
  return result.whole ? std::optional(result.evaluation.all) : std::nullopt;
}

Status Trainer::validate(EpochReport& report) {
  PLIM_ASSIGN(const auto validated, evaluate(setup_.validation));
  if (validated) {
    report.val_loss = validated->loss();
    report.val_accuracy = validated->accuracy();
  }
  return {};
}

void Trainer::judge_epoch(const EpochReport& report) {
  const auto score = setup_.monitor == Monitor::accuracy ? report.val_accuracy : report.val_loss;
  if (!score) return;
  const double signed_score = setup_.monitor == Monitor::accuracy ? *score : -*score;
  if (std::isfinite(signed_score) && (!state_.best_score || signed_score > *state_.best_score)) {
    state_.best_score = signed_score;
    state_.best_epoch = report.epoch;
    state_.epochs_without_better = 0;
    if (setup_.keeps_best()) save(CheckpointKind::best);
    return;
  }
  if (setup_.patience && ++state_.epochs_without_better >= *setup_.patience) {
    outcome_.end = TrainingEnd::early_stop;
    outcome_.why = fmt::format("no better validation {} in {} epochs",
                               setup_.monitor == Monitor::accuracy ? "accuracy" : "loss", *setup_.patience);
    ended_ = true;
  }
}

void Trainer::save(CheckpointKind kind) {
  const Status saved = save_checkpoint(setup_.directory->path(), kind, step_, state_, setup_.config);
  if (kind == CheckpointKind::last) {
    outcome_.saved = saved.ok();
    if (saved.ok()) saved_step_ = state_.step;
    saved_at_ = Clock::now();
  }
  if (saved.ok()) {
    log_.event("checkpoint", {{"step", state_.step}, {"kind", name_of(kind)}});
    return;
  }
  log_.event("checkpoint_failed", {{"step", state_.step}, {"why", saved.error().line()}});
  watcher_.message(
      fmt::format("checkpoint not saved: {}; the one before it is kept and training goes on", saved.error().line()));
}

Status Trainer::end_epoch() {
  EpochReport over = report(true);
  PLIM_TRY(validate(over));
  // Told to stop meanwhile: the epoch stays open, and a resumed run validates it anew.
  if (setup_.validation && !over.val_loss && stop_asked()) return {};
  log_.epoch(over, state_.step);
  watcher_.epoch_done(over);
  outcome_.skipped_samples += loader_->skipped();
  state_.epochs.push_back(over);
  ++state_.epoch;
  state_.batch = 0;
  state_.running = {};
  state_.epoch_seconds = {};
  judge_epoch(over);
  // Short epochs are not spent on waiting for the disk: what a kill can cost is a moment's work.
  if (saved_step_ < 0 || seconds_since(saved_at_) > kShortEpoch) save(CheckpointKind::last);
  return {};
}

// The best weights, the last epoch if it was cut short, and the test.
Status Trainer::finish() {
  const bool asked = outcome_.end == TrainingEnd::interrupted || outcome_.end == TrainingEnd::terminated;
  if (saved_step_ != state_.step && outcome_.end != TrainingEnd::not_finite) save(CheckpointKind::last);
  outcome_.state = state_;
  if (state_.batch > 0) {
    EpochReport cut = report(false);
    if (!asked && outcome_.end != TrainingEnd::not_finite) {
      PLIM_TRY(validate(cut));
    }
    log_.epoch(cut, state_.step);
    watcher_.epoch_done(cut);
    outcome_.state.epochs.push_back(cut);
  }
  if (asked || outcome_.end == TrainingEnd::not_finite) return {};
  if (setup_.keeps_best() && state_.best_epoch > 0) {
    PLIM_ASSIGN(const auto best, read_checkpoint(setup_.directory->path(), CheckpointKind::best));
    if (best) {
      PLIM_TRY(load_tensors(*best, step_));
      outcome_.restored_best = true;
    }
  }
  PLIM_ASSIGN(outcome_.test, evaluate(setup_.test));
  if (outcome_.test)
    log_.event("test", {{"step", state_.step},
                        {"loss", outcome_.test->loss()},
                        {"accuracy", outcome_.test->accuracy()},
                        {"best_epoch", state_.best_epoch},
                        {"restored_best", outcome_.restored_best}});
  return {};
}

Result<TrainingOutcome> Trainer::run() {
  LoaderOptions options = setup_.loader;
  options.shuffle = options.drop_last = true;
  options.seed = setup_.seed;
  PLIM_ASSIGN(loader_, Loader::make(setup_.train, options));
  log_every_ = std::max<int64_t>(1, (steps_left_to() + kMostLoggedSteps - 1) / kMostLoggedSteps);
  log_.event(state_.step > 0 ? "resume" : "start", {{"step", state_.step}, {"steps_per_epoch", loader_->batches()}});
  while (!ended_ && state_.epoch < setup_.epochs) {
    PLIM_TRY(loader_->start(state_.epoch, state_.batch));
    for (After after = After::next; after == After::next;) {
      if (stop_asked()) break;
      if (setup_.max_steps && state_.step >= *setup_.max_steps && state_.batch < loader_->batches()) {
        outcome_.end = TrainingEnd::max_steps;
        ended_ = true;
        break;
      }
      PLIM_ASSIGN(after, take_step());
      if (after == After::epoch_over) PLIM_TRY(end_epoch());
      if (after == After::next && seconds_since(saved_at_) > setup_.save_every.value) save(CheckpointKind::last);
    }
    outcome_.waited.value += loader_->waited().value;
  }
  PLIM_TRY(finish());
  if (outcome_.steps > 1) outcome_.step_seconds = {computed_ / double(outcome_.steps - 1)};
  if (const auto samples = utilisation_.take(); !samples.empty()) log_.utilisation(samples, state_.step);
  log_.event("end", {{"step", state_.step}, {"how", name_of(outcome_.end)}});
  return std::move(outcome_);
}

}  // namespace

std::string_view name_of(TrainingEnd end) {
  constexpr std::string_view kNames[] = {"finished",    "max-steps",  "early-stop",
                                         "interrupted", "terminated", "not-finite"};
  return kNames[size_t(end)];
}

Result<TrainingOutcome> train(TrainerSetup& setup, TrainingWatcher& watcher) {
  Trainer trainer(setup, watcher);
  return trainer.run();
}

}  // namespace plimsoll
