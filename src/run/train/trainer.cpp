#include "run/train/trainer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/text.h"
#include "model/ir/program_lookup.h"
#include "run/train/buffer_copy.h"
#include "run/train/checkpoint.h"
#include "run/train/evaluate_network.h"
#include "run/train/interruption.h"
#include "run/train/norm_renewal.h"
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

class Trainer {
 public:
  Trainer(TrainerSetup& setup, TrainingWatcher& watcher)
      : setup_(setup),
        watcher_(watcher),
        step_(*setup.step),
        crew_(setup.crew, step_),
        state_(setup.state),
        learning_rate_(input_named(step_.program(), "learning_rate")),
        number_(input_named(step_.program(), "step")),
        counters_(input_named(step_.program(), "random_counters")),
        log_(setup.directory, [&watcher](const std::string& sentence) { watcher.message(sentence); }),
        buffers_(step_.program()) {}

  Result<TrainingOutcome> run();

 private:
  enum class After { next, epoch_over, stop };

  Result<After> take_step();
  void write_inputs(const Batch& batch);
  Result<bool> not_finite(const Batch& batch, bool mine);
  void tell(const StepNews& news);
  void measure_gradients(const StepNews& news);
  EpochReport report(bool complete) const;
  Status end_epoch();
  Result<std::optional<Tally>> evaluate(const DatasetPtr& dataset);
  Status validate(EpochReport& report);
  Status judge_epoch(const EpochReport& report);
  Status save(CheckpointKind kind);
  Status write(CheckpointKind kind);
  Result<std::optional<TrainingState>> load(CheckpointKind kind);
  Status renew_norms();
  Status finish();
  bool stop_asked();

  int64_t steps_left_to() const {
    const int64_t all = setup_.epochs * loader_->batches();
    return setup_.max_steps ? std::min(*setup_.max_steps, all) : all;
  }

  TrainerSetup& setup_;
  TrainingWatcher& watcher_;
  Executor& step_;
  Crew crew_;
  GradientNoise noise_;
  bool said_same_data_ = false;
  TrainingState state_;
  ValueId learning_rate_, number_, counters_;
  StepLog log_;
  BufferCopy buffers_;
  Utilisation utilisation_;
  std::unique_ptr<Loader> loader_;
  TrainingOutcome outcome_;
  bool ended_ = false;
  bool save_asked_ = false;          // by the clock of rank 0
  StopAsked asked_ = StopAsked::no;  // of any worker, behind the latest step
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

// The step that was computed is not to be used. True: go on with the next batch. `mine`: this worker's numbers are not
// finite, whatever those of the others are.
Result<bool> Trainer::not_finite(const Batch& batch, bool mine) {
  std::string layer;
  if (mine) {
    write_inputs(batch);
    layer = plimsoll::in_quotes(step_.first_not_finite().value_or("the update's input"));
  }
  layer = crew_.gather_places(layer);
  if (layer.empty()) layer = "the sum over the workers";
  const std::string what =
      fmt::format("step {}: the loss or a gradient is not a finite number, first at {}", state_.step + 1, layer);
  log_.event("not_finite", {{"step", state_.step + 1}, {"layer", layer}});
  const bool again = ++troubles_ < kMostTroubles;
  if (setup_.on_nan == OnNan::skip && again) {
    buffers_.restore(step_);
    watcher_.message(what + "; its update is left out");
    return true;
  }
  if (setup_.on_nan == OnNan::reload && again) {
    PLIM_ASSIGN(const auto before, load(CheckpointKind::last));
    if (before) {
      state_.updates = before->updates;
      watcher_.message(fmt::format("{}; going on with the parameters of step {}", what, before->step));
      return true;
    }
  }
  outcome_.why = what + ". The parameters are those before this step; a smaller --lr or a --warmup may help";
  return false;
}

// Rank 0 reads the checkpoint, all have it. nullopt: there is none.
Result<std::optional<TrainingState>> Trainer::load(CheckpointKind kind) {
  std::optional<TrainingState> state;
  const auto read = [&]() -> Status {
    PLIM_ASSIGN(const auto checkpoint, read_checkpoint(setup_.directory->path(), kind));
    if (!checkpoint) return {};
    PLIM_TRY(load_tensors(*checkpoint, step_));
    state = checkpoint->state;
    return {};
  };
  PLIM_TRY(crew_.communicator().together(setup_.directory ? read() : Status()));
  if (crew_.alone()) return state;
  const std::string text = crew_.communicator().as_first_says(state ? to_json(*state).dump() : "");
  if (text.empty()) return std::optional<TrainingState>();
  crew_.take_weights_of_first();
  PLIM_ASSIGN(state, read_training_state(Json::parse(text)));
  return state;
}

// Of several workers: each one's gradient and their mean are two batch sizes of one step; and what the wire changed.
void Trainer::measure_gradients(const StepNews& news) {
  if (crew_.alone()) return;
  const auto batch = double(setup_.loader.batch);
  noise_.add(news.own_square, batch, news.mean_square, batch * crew_.size());
  if (setup_.crew.exchange.wire != DType::f32) outcome_.rounding.add(news.own_square, news.mean_square, news.rounded);
  outcome_.noise = noise_.scale();
  if (said_same_data_ || !noise_.same_data()) return;
  said_same_data_ = true;
  log_.event("same_data", {{"step", state_.step}});
  watcher_.message(
      "all workers' gradients are the same: they evidently see the same samples, so more workers gain nothing");
}

void Trainer::tell(const StepNews& news) {
  const double per_second = pace_ > 0 ? double(setup_.loader.batch * crew_.size()) / pace_ : 0;
  const int64_t last = steps_left_to();
  if (state_.step % log_every_ == 0 || state_.step == last)
    log_.step({state_.step, state_.epoch + 1, news.loss, double(news.correct) / double(news.samples), rate_, per_second,
               outcome_.noise, outcome_.rounding});
  if (const auto samples = utilisation_.take(); !samples.empty()) log_.utilisation(samples, state_.step);
  if (const auto& found = crew_.straggler()) {
    outcome_.straggler = fmt::format("rank {} on {} is slow: it computes {:.1f} times as long as the others, who wait",
                                     found->rank, crew_.host_of(found->rank), found->times);
    log_.event("straggler", {{"step", state_.step}, {"rank", found->rank}, {"times", found->times}});
    watcher_.message(outcome_.straggler);
  }
  watcher_.step_done({&state_, setup_.epochs, loader_->batches(), last, news.loss, rate_, per_second,
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
  const auto computing = Clock::now();
  const Seconds exposed = crew_.waited();
  const bool finite = crew_.compute(state_.step + 1);
  float loss = 0;
  step_.read(step_.program().loss, std::as_writable_bytes(std::span(&loss, 1)));
  StepNews mine{double(loss), batch->samples};
  mine.finite = finite && std::isfinite(loss);
  const bool usable = mine.finite && crew_.finite();
  if (usable) mine.correct = setup_.judge->count_correct(step_, batch->labels, batch->samples);
  mine.seconds = seconds_since(computing) - (crew_.waited().value - exposed.value);
  mine.stop = Interruption::asked();
  mine.save = seconds_since(saved_at_) > setup_.save_every.value;
  const bool own_trouble = crew_.alone() ? !usable : !mine.finite;
  mine.finite = usable;
  const StepNews news = crew_.meet(mine);
  asked_ = news.stop;
  save_asked_ = news.save;
  if (news.finite) {
    step_.update();
    ++state_.updates;
    troubles_ = 0;
    state_.running.add(news.loss, news.samples, news.correct);
    measure_gradients(news);
  } else {
    PLIM_ASSIGN(const bool go_on, not_finite(*batch, own_trouble));
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
  tell(news);
  return After::next;
}

// Several stop behind the same step: the one in which they told each other.
bool Trainer::stop_asked() {
  const StopAsked asked = crew_.alone() ? Interruption::asked() : asked_;
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
  crew_.says(state_.step, "evaluating");
  step_.release();  // the evaluation's loader takes memory too
  PLIM_ASSIGN(const auto inference, setup_.inference());
  PLIM_ASSIGN(const Evaluated result, evaluate_network(*inference, *setup_.judge, dataset, setup_.loader));
  asked_ = crew_.stop_asked();
  const bool whole = crew_.alone() ? result.whole : asked_ == StopAsked::no;
  const Tally all = crew_.add_up(result.evaluation.all);
  return whole ? std::optional(all) : std::nullopt;
}

Status Trainer::validate(EpochReport& report) {
  PLIM_ASSIGN(const auto validated, evaluate(setup_.validation));
  if (validated) {
    report.val_loss = validated->loss();
    report.val_accuracy = validated->accuracy();
  }
  return {};
}

Status Trainer::judge_epoch(const EpochReport& report) {
  const auto score = setup_.monitor == Monitor::accuracy ? report.val_accuracy : report.val_loss;
  if (!score) return {};
  const double signed_score = setup_.monitor == Monitor::accuracy ? *score : -*score;
  if (std::isfinite(signed_score) && (!state_.best_score || signed_score > *state_.best_score)) {
    state_.best_score = signed_score;
    state_.best_epoch = report.epoch;
    state_.epochs_without_better = 0;
    return setup_.keeps_best() ? save(CheckpointKind::best) : Status();
  }
  if (setup_.patience && ++state_.epochs_without_better >= *setup_.patience) {
    outcome_.end = TrainingEnd::early_stop;
    outcome_.why = fmt::format("no better validation {} in {} epochs",
                               setup_.monitor == Monitor::accuracy ? "accuracy" : "loss", *setup_.patience);
    ended_ = true;
  }
  return {};
}

// An Error: the workers have drifted apart. A disk that is full is none.
Status Trainer::save(CheckpointKind kind) {
  PLIM_TRY(crew_.check_same_weights(state_.step));
  const bool saved = crew_.communicator().as_first_says(!setup_.directory || write(kind).ok());
  if (kind == CheckpointKind::last) {
    outcome_.saved = saved;
    if (saved) saved_step_ = state_.step;
    saved_at_ = Clock::now();
  }
  return {};
}

Status Trainer::write(CheckpointKind kind) {
  Status saved = save_checkpoint(setup_.directory->path(), kind, step_, state_, setup_.config);
  if (saved.ok()) {
    log_.event("checkpoint", {{"step", state_.step}, {"kind", name_of(kind)}});
    return saved;
  }
  log_.event("checkpoint_failed", {{"step", state_.step}, {"why", saved.error().line()}});
  watcher_.message(
      fmt::format("checkpoint not saved: {}; the one before it is kept and training goes on", saved.error().line()));
  return saved;
}

Status Trainer::end_epoch() {
  EpochReport over = report(true);
  PLIM_TRY(validate(over));
  // Told to stop meanwhile: the epoch stays open, and a resumed run validates it anew.
  if (setup_.validation && !over.val_loss && stop_asked()) return {};
  log_.epoch(over, state_.step);
  watcher_.epoch_done(over);
  Tally skipped;
  skipped.samples = loader_->skipped();
  outcome_.skipped_samples += crew_.add_up(skipped).samples;
  state_.epochs.push_back(over);
  ++state_.epoch;
  state_.batch = 0;
  state_.running = {};
  state_.epoch_seconds = {};
  PLIM_TRY(judge_epoch(over));
  // Short epochs are not spent on waiting for the disk: what a kill can cost is a moment's work.
  const bool due = saved_step_ < 0 || seconds_since(saved_at_) > kShortEpoch;
  return crew_.communicator().as_first_says(due) ? save(CheckpointKind::last) : Status();
}

// The best weights, the last epoch if it was cut short, and the test.
// What is used afterwards has them, so it is saved as the best.
Status Trainer::renew_norms() {
  NormRenewal renewal(step_.program());
  if (setup_.renewed_batches == 0 || !renewal.has_norms()) return {};
  crew_.says(state_.step, "renewing norms");
  PLIM_TRY(loader_->start(state_.epoch));
  for (int64_t i = 0; i < std::min(setup_.renewed_batches, loader_->batches()); ++i) {
    PLIM_ASSIGN(const auto batch, loader_->next());
    write_inputs(*batch);
    renewal.before(step_);
    crew_.compute(state_.step + 1);
    renewal.after(step_);
  }
  renewal.write(step_);
  log_.event("norms_renewed", {{"step", state_.step}});
  return save(CheckpointKind::best);
}

Status Trainer::finish() {
  const bool asked = outcome_.end == TrainingEnd::interrupted || outcome_.end == TrainingEnd::terminated;
  if (saved_step_ != state_.step && outcome_.end != TrainingEnd::not_finite) PLIM_TRY(save(CheckpointKind::last));
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
    PLIM_ASSIGN(const auto best, load(CheckpointKind::best));
    outcome_.restored_best = best.has_value();
  }
  PLIM_TRY(renew_norms());
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
  setup_.loader.share = crew_.rank();
  setup_.loader.shares = options.shares = crew_.size();
  options.share = setup_.same_batches ? 0 : crew_.rank();
  options.seed = setup_.seed;
  PLIM_ASSIGN(loader_, Loader::make(setup_.train, options));
  log_every_ = std::max<int64_t>(1, (steps_left_to() + kMostLoggedSteps - 1) / kMostLoggedSteps);
  log_.event(state_.step > 0 ? "resume" : "start", {{"step", state_.step}, {"steps_per_epoch", loader_->batches()}});
  crew_.says(state_.step, "loading");
  crew_.take_weights_of_first();
  // A worker that is lost early costs no more than the time since then.
  if (setup_.crew.pulse && state_.step == 0) PLIM_TRY(save(CheckpointKind::last));
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
      if (after == After::next && save_asked_) PLIM_TRY(save(CheckpointKind::last));
    }
    outcome_.waited.value += loader_->waited().value;
  }
  PLIM_TRY(finish());
  outcome_.workers = crew_.size();
  outcome_.communicated = crew_.communicated();
  outcome_.exposed = crew_.waited();
  outcome_.wire_bytes = crew_.wire_bytes();
  if (outcome_.steps > 1) outcome_.step_seconds = {computed_ / double(outcome_.steps - 1)};
  if (const auto samples = utilisation_.take(); !samples.empty()) log_.utilisation(samples, state_.step);
  if (const auto hidden = outcome_.hidden())
    log_.event("exchange", {{"step", state_.step},
                            {"communication_seconds", outcome_.communicated.value},
                            {"exposed_communication_seconds", outcome_.exposed.value},
                            {"hidden_communication", *hidden}});
  log_.end(state_.step, name_of(outcome_.end), outcome_.rounding);
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
