// What train answers, key by key: trained, or refused because it does not fit.
#pragma once

#include <cmath>

#include "base/rows/reply.h"
#include "plan/ask/fit_reply.h"
#include "run/ask/declined_reply.h"
#include "run/train/training_run.h"

namespace plimsoll {

inline constexpr std::string_view kTrainSchema = "plimsoll.train/1";

// The keys of both forms.
template <class V, class Get>
void describe_outlook(V& row, Get get) {
  row("model", "the network", [=] { return get().model; });
  row("data", "the dataset", [=] { return get().data; });
  row("backend", "that runs it", [=] { return get().backend; });
  row("threads", "of each worker", [=] { return get().threads; });
  row("loaders", "loader workers", [=] { return get().loaders; });
  row("parameters", "learnable numbers", [=] { return get().parameters; });
  row("train_samples", "", [=] { return get().train_samples; });
  row("validation_samples", "", [=] { return get().validation_samples; });
  row("test_samples", "", [=] { return get().test_samples; });
  row("classes", "", [=] { return get().classes; });
  row("batch", "of a worker, in one pass", [=] { return get().batch; });
  row("micro_batches", "of a step", [=] { return get().micro_batches; });
  row("workers", "", [=] { return get().workers; });
  row("global_batch", "samples per step of all workers", [=] { return get().step_samples(); });
  row("steps_per_epoch", "", [=] { return get().steps_per_epoch; });
  row("optimizer", "", [=] { return get().optimizer; });
  row("learning_rate", "", [=] { return get().learning_rate; });
  row("schedule", "", [=] { return get().schedule; });
  row("seed", "", [=] { return get().seed; });
  row("planned_bytes", "memory of a worker", [=] { return get().planned; });
  row("memory_bytes", "that a worker may count on", [=] { return get().memory; });
  row("load_line", "share of it that may be filled", [=] { return get().load_line; });
  row("line_bytes", "memory under the line", [=] { return get().line; });
  row("checkpoint_bytes", "most room that checkpoints take", [=] { return get().checkpoints; });
  row("reorders", "changes of layout in a step", [=] { return get().reorders; });
  row("conv_methods", "how many convolutions are computed how", [=] { return named_methods(get().conv_methods); });
  row("by_reference", "operations without a fast kernel", [=] { return get().by_reference; });
  row("declined", "why operations did not get the kernel that is asked first", [=] { return get().declined; });
  row("evaluation_by_reference", "the same in evaluations", [=] { return get().evaluation_by_reference; });
  row("predicted_step_seconds", "null: this machine has not been probed", [=] { return OrNull{get().predicted_step}; });
}

struct RefusalReply {
  const TrainingOutlook* outlook;
  const TrainingRefusal* refusal;
};
inline std::string_view schema_name(const RefusalReply*) { return "TrainRefusal"; }

template <class V>
void describe(V& row, const RefusalReply* r) {
  describe_outlook(row, [=]() -> const TrainingOutlook& { return *r->outlook; });
  row("fits", "no", [=] { return false; });
  row("shortfall_bytes", "by which the line is missed", [=] { return r->outlook->planned - r->outlook->line; });
  row("largest_batch", "that fits; 0: none", [=] { return r->refusal->largest_batch; });
  row("breaking_tensor", "whose allocation crosses the line", [=] { return OrNull{r->refusal->breaking}; });
}

inline std::string_view schema_name(const EpochReport*) { return "Epoch"; }

template <class V>
void describe(V& row, const EpochReport* e) {
  row("epoch", "from 1", [=] { return e->epoch; });
  row("steps", "", [=] { return e->steps; });
  row("complete", "false: it was cut short", [=] { return e->complete; });
  row("train_loss", "the running mean over the epoch", [=] { return or_null(e->train_loss); });
  row("train_accuracy", "", [=] { return e->train_accuracy; });
  row("val_loss", "", [=] { return or_null(e->val_loss); });
  row("val_accuracy", "", [=] { return OrNull{e->val_accuracy}; });
  row("seconds", "of training, without validation", [=] { return e->seconds; });
  row("images_per_second", "", [=] { return e->images_per_second; });
  row("learning_rate", "of its last step", [=] { return e->learning_rate; });
  row("tokens_per_second", "of a language model", [=] { return e->tokens_per_second; });
  row("train_perplexity", "of a language model: e to the loss", [=] { return e->train_perplexity(); });
  row("val_perplexity", "", [=] { return e->val_perplexity(); });
}

inline std::string_view schema_name(const NoiseScale*) { return "NoiseScale"; }

template <class V>
void describe(V& row, const NoiseScale* n) {
  row("samples", "the gradient noise scale", [=] { return or_null(n->samples); });
  row("low", "95 %", [=] { return or_null(n->low); });
  row("high", "95 %; null: unknown", [=] { return or_null(n->high); });
  row("signal", "", [=] { return or_null(n->signal); });
  row("noise", "", [=] { return or_null(n->noise); });
  row("average", "over the run", [=] { return or_null(n->average); });
  row("steps", "", [=] { return n->steps; });
}

inline std::string_view schema_name(const TrustRatio*) { return "TrustRatio"; }

template <class V>
void describe(V& row, const TrustRatio* t) {
  row("parameter", "", [=] { return t->parameter; });
  row("ratio", "", [=] { return or_null(t->ratio); });
}

struct WireReply {
  DType format;
  Bytes step;
  std::optional<RoundingShare> mean, most;
};
inline std::string_view schema_name(const WireReply*) { return "Wire"; }

template <class V>
void describe(V& row, const WireReply* w) {
  const auto part = [](const std::optional<RoundingShare>& share, double RoundingShare::*which) {
    return OrNull{share ? std::optional((*share).*which) : std::nullopt};
  };
  row("format", "of gradients on their way", [=] { return name_of(w->format); });
  row("step_bytes", "of each worker", [=] { return w->step; });
  row("error", "share of the gradients' length", [=] { return part(w->mean, &RoundingShare::sent); });
  row("largest_error", "", [=] { return part(w->most, &RoundingShare::sent); });
  row("mean_error", "of the mean that came back", [=] { return part(w->mean, &RoundingShare::mean); });
  row("largest_mean_error", "", [=] { return part(w->most, &RoundingShare::mean); });
}

inline std::optional<WireReply> wire_reply(const TrainingOutlook& outlook, const TrainingOutcome& outcome) {
  if (outcome.workers < 2) return std::nullopt;
  WireReply reply{outlook.wire, outcome.wire_bytes, std::nullopt, std::nullopt};
  if (outcome.rounding.steps() == 0) return reply;
  reply.mean = outcome.rounding.average();
  reply.most = outcome.rounding.largest();
  return reply;
}

struct TrainReply {
  const TrainingOutlook* outlook;
  const TrainingResult* result;
};
inline std::string_view schema_name(const TrainReply*) { return "Train"; }

template <class V>
void describe(V& row, const TrainReply* r) {
  const auto outcome = [=]() -> const TrainingOutcome& { return r->result->outcome; };
  describe_outlook(row, [=]() -> const TrainingOutlook& { return *r->outlook; });
  row("fits", "yes", [=] { return true; });
  row("epochs", "one entry an epoch", [=] { return outcome().state.epochs; });
  row("test_accuracy", "null without a test part",
      [=] { return OrNull{outcome().test ? std::optional(outcome().test->accuracy()) : std::nullopt}; });
  row("test_loss", "", [=] { return or_null(outcome().test ? std::optional(outcome().test->loss()) : std::nullopt); });
  row("test_perplexity", "of a language model", [=] {
    return outcome().tokens > 0 && outcome().test ? std::optional(perplexity(outcome().test->loss())) : std::nullopt;
  });
  row("steps", "of the whole run", [=] { return outcome().state.step; });
  row("peak_bytes", "of the largest worker's process", [=] { return r->result->peak(); });
  row("worker_peak_bytes", "", [=] { return r->result->peaks; });
  row("step_seconds", "the mean, without waiting for data", [=] { return outcome().step_seconds; });
  row("predicted_seconds", "of this process's steps", [=] { return OrNull{r->result->predicted(*r->outlook)}; });
  row("train_seconds", "", [=] { return outcome().state.seconds; });
  row("seconds", "of this process", [=] { return r->result->seconds; });
  row("waited_seconds", "for data", [=] { return outcome().waited; });
  row("others_share", "of the processors that other programs had", [=] { return outcome().others; });
  row("communication_seconds", "", [=] { return outcome().communicated; });
  row("exposed_communication_seconds", "that steps waited for", [=] { return outcome().exposed; });
  row("hidden_communication", "share", [=] { return OrNull{outcome().hidden()}; });
  row("wire", "", [=] { return OrNull{wire_reply(*r->outlook, outcome())}; });
  row("straggler", "",
      [=] { return OrNull{outcome().straggler.empty() ? std::nullopt : std::optional(outcome().straggler)}; });
  row("noise_scale", "", [=] { return OrNull{outcome().noise}; });
  row("trust_ratios", "of the last update, with LARS and LAMB",
      [=] { return OrNull{outcome().trust_ratios.empty() ? std::nullopt : std::optional(outcome().trust_ratios)}; });
  row("ended", "finished, max-steps, early-stop, interrupted, terminated or not-finite",
      [=] { return name_of(outcome().end); });
  row("why", "", [=] { return outcome().why; });
  row("best_epoch", "", [=] {
    return OrNull{outcome().state.best_epoch > 0 ? std::optional(outcome().state.best_epoch) : std::nullopt};
  });
  row("restored_best", "", [=] { return outcome().restored_best; });
  row("saved", "the last checkpoint is that of the last step", [=] { return outcome().saved; });
  row("skipped_samples", "", [=] { return outcome().skipped_samples; });
  row("skipped_updates", "", [=] { return outcome().skipped_updates; });
  row("run_dir", "", [=] { return r->outlook->run_dir; });
  row("report", "the file; null when it could not be written",
      [=] { return OrNull{r->result->report.empty() ? std::nullopt : std::optional(r->result->report)}; });
}

}  // namespace plimsoll
