// The end of an epoch and of a run: validation, the best so far, patience, norms and the test.
#include <fmt/format.h>

#include <cmath>

#include "run/train/evaluate_network.h"
#include "run/train/norm_renewal.h"
#include "run/train/training_loop.h"

namespace plimsoll {
namespace {

constexpr Seconds kShortEpoch{2};

}  // namespace

EpochReport TrainingLoop::report(bool complete) const {
  EpochReport report;
  report.epoch = state_.epoch + 1;
  report.steps = state_.batch;
  report.complete = complete;
  report.train_loss = state_.running.loss();
  report.train_accuracy = state_.running.accuracy();
  report.seconds = state_.epoch_seconds;
  const int64_t tokens = setup_.judge->tokens();
  if (tokens > 0) report.tokens_per_second = 0;
  if (report.seconds.value > 0) {
    const double rate = double(state_.running.samples) / report.seconds.value;  // of a language model's tokens
    report.images_per_second = rate / double(std::max<int64_t>(tokens, 1));
    if (tokens > 0) report.tokens_per_second = rate;
  }
  // Not that of this process's latest step: a run may go on after the last step of an epoch.
  if (state_.step > 0) report.learning_rate = setup_.schedule.at(state_.step - 1);
  return report;
}

Result<std::optional<Tally>> TrainingLoop::evaluate(const DatasetPtr& dataset) {
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

Status TrainingLoop::validate(EpochReport& report) {
  PLIM_ASSIGN(const auto validated, evaluate(setup_.validation));
  if (validated) {
    report.val_loss = validated->loss();
    report.val_accuracy = validated->accuracy();
  }
  return {};
}

Status TrainingLoop::judge_epoch(const EpochReport& report) {
  const auto score = setup_.monitor == Monitor::accuracy ? report.val_accuracy : report.val_loss;
  if (!score) return {};
  const double signed_score = setup_.monitor == Monitor::accuracy ? *score : -*score;
  if (std::isfinite(signed_score) && (!state_.best_score || signed_score > *state_.best_score)) {
    state_.best_score = signed_score;
    state_.best_epoch = report.epoch;
    state_.epochs_without_better = 0;
    return setup_.keeps_best() ? checkpoints_.save(CheckpointKind::best, state_) : Status();
  }
  ++state_.epochs_without_better;
  lose_patience();
  return {};
}

void TrainingLoop::lose_patience() {
  if (!setup_.patience || state_.epochs_without_better < *setup_.patience) return;
  outcome_.end = TrainingEnd::early_stop;
  outcome_.why = fmt::format("no better validation {} in {} epochs",
                             setup_.monitor == Monitor::accuracy ? "accuracy" : "loss", *setup_.patience);
  ended_ = true;
}

Status TrainingLoop::end_epoch() {
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
  const bool due = !checkpoints_.saved_step() || checkpoints_.since() > kShortEpoch;
  return crew_.communicator().as_first_says(due) ? checkpoints_.save(CheckpointKind::last, state_) : Status();
}

// What is used afterwards has them, so it is saved as the best.
Status TrainingLoop::renew_norms() {
  NormRenewal renewal(step_.program());
  if (setup_.renewed_batches == 0 || !renewal.has_norms()) return {};
  crew_.says(state_.step, "recomputing the statistics of norms");
  PLIM_TRY(loader_->start(state_.epoch));
  for (int64_t i = 0; i < std::min(setup_.renewed_batches, loader_->batches()); ++i) {
    PLIM_ASSIGN(const auto batch, loader_->next());
    inputs_.write(*batch, rate_, state_);
    renewal.before(step_);
    crew_.compute(state_.step + 1);
    renewal.after(step_);
  }
  renewal.write(step_);
  log_.event("norms_renewed", {{"step", state_.step}});
  return checkpoints_.save(CheckpointKind::best, state_);
}

// The last epoch if it was cut short, the best weights, and the test.
Status TrainingLoop::finish() {
  const bool asked = outcome_.end == TrainingEnd::interrupted || outcome_.end == TrainingEnd::terminated;
  if (!checkpoints_.has(state_) && outcome_.end != TrainingEnd::not_finite)
    PLIM_TRY(checkpoints_.save(CheckpointKind::last, state_));
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
    PLIM_ASSIGN(const auto best, checkpoints_.load(CheckpointKind::best));
    outcome_.restored_best = best.has_value();
  }
  PLIM_TRY(renew_norms());
  PLIM_ASSIGN(outcome_.test, evaluate(setup_.test));
  if (setup_.test && !outcome_.test) stop_asked();  // told to stop meanwhile: a resumed run tests anew
  outcome_.tokens = setup_.judge->tokens();
  if (outcome_.test)
    log_.event("test", {{"step", state_.step},
                        {"loss", outcome_.test->loss()},
                        {"accuracy", outcome_.test->accuracy()},
                        {"best_epoch", state_.best_epoch},
                        {"restored_best", outcome_.restored_best}});
  return {};
}

}  // namespace plimsoll
