// What a sweep found: accuracy, speed and steps to a loss, over batches and learning rates, as text, JSON and plots.
#pragma once

#include "run/sweep/steps_to_loss.h"
#include "tell/report/json.h"
#include "tell/report/plot.h"

namespace plimsoll {

struct SweepPoint {
  int64_t batch = 1;       // samples a step, of all its micro-batches
  std::string rate, seed;  // as typed; the rate may be empty: the optimizer's usual one
  std::string run_dir;
  bool diverged = false;  // its loss became no number
  double train_loss = 0, train_accuracy = 0;
  std::optional<double> val_loss, val_accuracy, test_accuracy;
  double images_per_second = 0;
  int64_t steps = 0;
  std::optional<double> steps_to_goal;

  // What is compared: on samples that were not trained on, where there are any.
  double accuracy() const { return test_accuracy.value_or(val_accuracy.value_or(train_accuracy)); }
};

struct SweepView {
  std::string model, data, folder;
  std::optional<double> goal;  // a training loss
  std::vector<SweepPoint> points;

  std::string accuracy_of() const;  // "test", "validation" or "training"
};

// The fewest steps to the goal at each batch that reached it, whatever the rate; the mean over seeds.
std::vector<StepsAtBatch> best_steps(const SweepView& view);

std::string sweep_text(const SweepView& view);
Json sweep_json(const SweepView& view);
std::vector<Plot> sweep_plots(const SweepView& view);

}  // namespace plimsoll
