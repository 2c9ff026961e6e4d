// What sweep answers, key by key.
#pragma once

#include "base/rows/reply.h"
#include "run/sweep/sweep_run.h"

namespace plimsoll {

inline constexpr std::string_view kSweepSchema = "plimsoll.sweep/1";

inline std::string_view schema_name(const SweepPoint*) { return "SweepPoint"; }

template <class V>
void describe(V& row, const SweepPoint* p) {
  const auto unless_diverged = [=](double number) {
    return OrNull{p->diverged ? std::nullopt : std::optional(number)};
  };
  row("batch", "samples per step, of all micro-batches and workers", [=] { return p->batch; });
  row("learning_rate", "a number as text; null: the optimizer's usual one",
      [=] { return OrNull{p->rate ? std::optional(typed_rate(*p->rate)) : std::nullopt}; });
  row("seed", "a number as text; null: the usual one",
      [=] { return OrNull{p->seed ? std::optional(std::to_string(*p->seed)) : std::nullopt}; });
  row("run_dir", "", [=] { return p->run_dir; });
  row("diverged", "its loss is no longer a number", [=] { return p->diverged; });
  row("steps", "of the whole run", [=] { return p->steps; });
  row("train_loss", "of the last epoch; null: it diverged", [=] { return unless_diverged(p->train_loss); });
  row("train_accuracy", "of the last epoch; null: it diverged", [=] { return unless_diverged(p->train_accuracy); });
  row("val_loss", "of the last epoch", [=] { return or_null(p->val_loss); });
  row("val_accuracy", "of the last epoch", [=] { return OrNull{p->val_accuracy}; });
  row("test_accuracy", "null without a test part", [=] { return OrNull{p->test_accuracy}; });
  row("images_per_second", "the mean over the epochs", [=] { return p->images_per_second; });
  row("steps_to_goal", "null: not asked for, or not reached", [=] { return OrNull{p->steps_to_goal}; });
}

inline std::string_view schema_name(const CriticalBatch*) { return "CriticalBatch"; }

template <class V>
void describe(V& row, const CriticalBatch* c) {
  row("batch", "the critical batch", [=] { return c->critical; });
  row("low", "with each batch left out in turn", [=] { return c->low; });
  row("high", "with each batch left out in turn", [=] { return c->high; });
  row("least_steps", "that remain with batches far beyond it", [=] { return c->least_steps; });
}

inline std::string_view schema_name(const SweepOutcome*) { return "Sweep"; }

template <class V>
void describe(V& row, const SweepOutcome* o) {
  row("model", "the network", [=] { return o->model; });
  row("data", "the dataset", [=] { return o->data; });
  row("folder", "where the sweep is kept", [=] { return o->folder; });
  row("goal_loss", "the training loss to which steps are counted", [=] { return OrNull{o->goal}; });
  row("points", "one for each run", [=] { return o->points; });
  row("critical_batch", "null: not asked for, or it does not follow from the steps",
      [=] { return OrNull{o->critical_batch()}; });
}

}  // namespace plimsoll
