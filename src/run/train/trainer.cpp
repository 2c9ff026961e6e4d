#include "run/train/trainer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/rows/json.h"
#include "base/rows/named.h"
#include "base/text.h"
#include "run/train/interruption.h"
#include "run/train/training_loop.h"

namespace plimsoll {
namespace {

// Not the wall clock: that one may jump.
using Clock = std::chrono::steady_clock;

constexpr int kMostTroubles = 10;  // batches in a row that are not finite before a run that skips them ends
constexpr int64_t kMostLoggedSteps = 20'000;
constexpr int64_t kMostLoggedRatios = 500;  // times that all trust ratios are logged, besides the ends of epochs
constexpr double kPaceMemory = 0.9;         // how much of the pace so far counts beside the latest step

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// For the log.
Json end_fields(const TrainingOutcome& outcome, int64_t step) {
  Json fields{{"step", step}, {"how", name_of(outcome.end)}};
  if (const auto hidden = outcome.hidden())
    fields.update({{"communication_seconds", outcome.communicated.value},
                   {"exposed_communication_seconds", outcome.exposed.value},
                   {"hidden_communication", *hidden}});
  if (outcome.rounding.steps() > 0)
    fields.update(
        {{"wire_error", outcome.rounding.average().sent}, {"wire_mean_error", outcome.rounding.average().mean}});
  return fields;
}

}  // namespace

// The step that was computed is not to be used. True: go on with the next batch. `place`: where this worker's numbers
// are not finite; empty when they are, whatever those of the others are.
Result<bool> TrainingLoop::not_finite(const std::string& place) {
  step_.drop_sums();
  std::string layer = crew_.gather_places(place);
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
    PLIM_ASSIGN(const auto before, checkpoints_.load(CheckpointKind::last));
    if (before) {
      state_.updates = before->updates;
      watcher_.message(fmt::format("{}; going on with the parameters of step {}", what, before->step));
      return true;
    }
  }
  outcome_.why = what + ". The parameters are those before this step; a smaller learning rate or a warm-up may help";
  return false;
}

// Two batch sizes of one step: of several workers each one's gradient and their mean, of one worker those of its
// micro-batches. And what the wire changed.
void TrainingLoop::measure_gradients(const StepNews& news) {
  if (crew_.alone() && micro_batches() == 1) return;
  const auto part = double(setup_.loader.batch);
  const double own = crew_.alone() ? part : part * double(micro_batches());
  noise_.add(news.own_square, own, news.mean_square, part * double(micro_batches() * crew_.size()));
  if (!crew_.alone() && setup_.crew.exchange.wire != DType::f32)
    outcome_.rounding.add(news.own_square, news.mean_square, news.rounded);
  outcome_.noise = noise_.scale();
  if (crew_.alone() || said_same_data_ || !noise_.same_data()) return;
  said_same_data_ = true;
  log_.event("same_data", {{"step", state_.step}});
  watcher_.message(
      "all workers' gradients are the same: they evidently see the same samples, so more workers gain nothing");
}

void TrainingLoop::name_straggler(const StragglerFound& found, double per_second) {
  const double share = std::min(found.seconds / std::max(pace_, found.seconds), 0.999);  // of a step that is for it
  const double without = per_second / (1 - share);
  outcome_.straggler = fmt::format(
      "rank {} on {} is slow: it computes {:.1f} times as long as the others, who wait: {} images/s, about {} without "
      "it",
      found.rank, crew_.host_of(found.rank), found.times, with_commas(std::llround(per_second)),
      with_commas(std::llround(without)));
  log_.event("straggler", {{"step", state_.step},
                           {"rank", found.rank},
                           {"times", found.times},
                           {"images_per_second", per_second},
                           {"images_per_second_without", without}});
  watcher_.message(outcome_.straggler);
}

void TrainingLoop::tell(const StepNews& news) {
  const double per_second = pace_ > 0 ? double(setup_.loader.batch * micro_batches() * crew_.size()) / pace_ : 0;
  const int64_t last = steps_left_to();
  if (state_.step % log_every_ == 0 || state_.step == last)
    log_.step({state_.step, state_.epoch + 1, news.loss, double(news.correct) / double(news.samples), rate_, per_second,
               outcome_.noise, outcome_.rounding});
  if (state_.step % ratios_every_ == 0 || state_.step == last || state_.batch == steps_per_epoch()) {
    outcome_.trust_ratios = trust_ratios(step_);
    log_.trust_ratios(outcome_.trust_ratios, state_.step);
  }
  if (const auto samples = utilisation_.take(); !samples.empty()) {
    log_.utilisation(samples, state_.step);
    if (crew_.alone()) others_ = samples.back().others;
  }
  if (const auto& found = crew_.straggler()) name_straggler(*found, per_second);
  watcher_.step_done({&state_, setup_.epochs, steps_per_epoch(), last, news.loss, rate_, per_second,
                      Seconds{pace_ * double(last - state_.step)}, others_, setup_.judge->tokens()});
}

// nullopt: the epoch is over.
Result<std::optional<TrainingLoop::Passes>> TrainingLoop::compute_passes() {
  Passes all;
  for (int64_t part = 1; part <= micro_batches(); ++part) {
    const auto before = Clock::now();
    PLIM_ASSIGN(const auto batch, loader_->next());
    if (!batch) return std::optional<Passes>();
    all.waited += seconds_since(before);
    compute_pass(*batch, part == micro_batches(), all);
  }
  return std::optional(std::move(all));
}

// While a device computes, the batch after this one is brought to it.
void TrainingLoop::stage_next() {
  if (step_.on_host()) return;
  if (const auto next = loader_->ahead()) inputs_.stage(*next);
}

void TrainingLoop::compute_pass(const Batch& batch, bool last, Passes& all) {
  inputs_.write(batch, rate_, state_);
  const auto computing = Clock::now();
  const Seconds exposed = crew_.waited();
  const bool finite = crew_.compute(state_.step + 1, last, [this] { stage_next(); });
  float loss = 0;
  step_.read(step_.program().loss, std::as_writable_bytes(std::span(&loss, 1)));
  const bool own = finite && std::isfinite(loss), usable = own && crew_.finite();
  StepNews& news = all.news;
  news.loss += double(loss) / double(micro_batches());  // all are full, so their mean is that of the samples
  const JudgedBatch judged = setup_.judge->judged(batch);
  news.samples += judged.samples;
  news.finite = news.finite && usable;
  if (usable) news.correct += setup_.judge->count_correct(step_, judged.labels, judged.samples);
  news.seconds += seconds_since(computing) - (crew_.waited().value - exposed.value);
  // Behind the last one the sums are those of all workers.
  if (!all.place.empty() || (last && !crew_.alone() ? own : usable)) return;
  inputs_.write(batch, rate_, state_);
  all.place = plimsoll::in_quotes(step_.first_not_finite().value_or("the update's input"));
}

Result<TrainingLoop::After> TrainingLoop::take_step() {
  if (state_.batch == steps_per_epoch()) return After::epoch_over;
  const auto before = Clock::now();
  rate_ = setup_.schedule.at(state_.step);
  if (setup_.on_nan == OnNan::skip) buffers_.keep(step_);
  PLIM_ASSIGN(auto passes, compute_passes());
  if (!passes) return After::epoch_over;
  passes->news.stop = Interruption::asked();
  passes->news.save = save_due();
  const StepNews news = crew_.meet(passes->news);
  asked_ = news.stop;
  save_asked_ = news.save;
  if (news.finite) {
    step_.update();
    ++state_.updates;
    troubles_ = 0;
    state_.running.add(news.loss, news.samples, news.correct);
    measure_gradients(news);
  } else {
    PLIM_ASSIGN(const bool go_on, not_finite(passes->place));
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
  if (++outcome_.steps > 1) computed_ += took - passes->waited;
  pace_ = pace_ == 0 || outcome_.steps < 3 ? took : kPaceMemory * pace_ + (1 - kPaceMemory) * took;
  state_.epoch_seconds.value += took;
  state_.seconds.value += took;
  tell(news);
  return After::next;
}

// After the step that is being taken.
bool TrainingLoop::save_due() const {
  const auto& steps = setup_.save_every_steps;
  return checkpoints_.since() > setup_.save_every || (steps && (state_.step + 1) % *steps == 0);
}

// Several stop after the same step: the one in which they told each other.
bool TrainingLoop::stop_asked() {
  const StopAsked asked = crew_.alone() ? Interruption::asked() : asked_;
  if (asked == StopAsked::no) return false;
  outcome_.end = asked == StopAsked::interrupted ? TrainingEnd::interrupted : TrainingEnd::terminated;
  return ended_ = true;
}

Result<TrainingOutcome> TrainingLoop::run() {
  LoaderOptions options = setup_.loader;
  options.shuffle = options.drop_last = true;
  options.share = setup_.loader.share = crew_.rank();
  options.shares = setup_.loader.shares = crew_.size();
  options.in_turn = setup_.same_batches;
  options.seed = setup_.seed;
  PLIM_ASSIGN(loader_, Loader::make(setup_.train, options));
  if (steps_per_epoch() == 0)
    return user_error(fmt::format("the training set has {} samples, fewer than a step of {} micro-batches of {}",
                                  with_commas(setup_.train->size()), micro_batches(), options.batch),
                      fmt::format("choose a smaller {} or fewer {}", named("batch"), named("micro_batches")));
  log_every_ = std::max<int64_t>(1, (steps_left_to() + kMostLoggedSteps - 1) / kMostLoggedSteps);
  ratios_every_ = std::max<int64_t>(1, (steps_left_to() + kMostLoggedRatios - 1) / kMostLoggedRatios);
  log_.event(state_.step > 0 ? "resume" : "start", {{"step", state_.step}, {"steps_per_epoch", steps_per_epoch()}});
  crew_.says(state_.step, "loading");
  crew_.take_weights_of_first();
  // A worker that is lost early costs no more than the time since then.
  if (setup_.crew.pulse && state_.step == 0) PLIM_TRY(checkpoints_.save(CheckpointKind::last, state_));
  lose_patience();  // a run that was stopped after its last epoch ends as it would have
  while (!ended_ && state_.epoch < setup_.epochs) {
    PLIM_TRY(loader_->start(state_.epoch, state_.batch * micro_batches()));
    inputs_.forget_staged();
    for (After after = After::next; after == After::next;) {
      if (stop_asked()) break;
      if (setup_.max_steps && state_.step >= *setup_.max_steps && state_.batch < steps_per_epoch()) {
        outcome_.end = TrainingEnd::max_steps;
        ended_ = true;
        break;
      }
      PLIM_ASSIGN(after, take_step());
      if (after == After::epoch_over) PLIM_TRY(end_epoch());
      if (after == After::next && save_asked_) PLIM_TRY(checkpoints_.save(CheckpointKind::last, state_));
    }
    outcome_.waited.value += loader_->waited().value;
  }
  PLIM_TRY(finish());
  outcome_.workers = crew_.size();
  outcome_.saved = checkpoints_.saved();
  outcome_.trust_ratios = trust_ratios(step_);
  outcome_.communicated = crew_.communicated();
  outcome_.exposed = crew_.waited();
  outcome_.wire_bytes = crew_.wire_bytes();
  outcome_.others = crew_.share_of_others(start_, processors_time());
  if (outcome_.steps > 1) outcome_.step_seconds = {computed_ / double(outcome_.steps - 1)};
  log_.utilisation(utilisation_.end(), state_.step);
  log_.event("end", end_fields(outcome_, state_.step));
  return std::move(outcome_);
}

std::string_view name_of(TrainingEnd end) {
  constexpr std::string_view kNames[] = {"finished",    "max-steps",  "early-stop",
                                         "interrupted", "terminated", "not-finite"};
  return kNames[size_t(end)];
}

Result<TrainingOutcome> train(TrainerSetup& setup, TrainingWatcher& watcher) {
  return TrainingLoop(setup, watcher).run();
}

}  // namespace plimsoll
