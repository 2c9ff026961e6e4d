// What a sweep found: accuracy, speed and steps to a loss, over batches, learning rates and seeds.
#pragma once

#include <functional>
#include <map>

#include "run/sweep/steps_to_loss.h"

namespace plimsoll {

struct SweepPoint {
  int64_t batch = 1;           // samples a step, of all its micro-batches and workers
  std::optional<double> rate;  // nullopt: the optimizer's usual one
  std::optional<int64_t> seed;
  std::string run_dir;
  bool diverged = false;  // its loss is no longer a number
  double train_loss = 0, train_accuracy = 0;
  std::optional<double> val_loss, val_accuracy, test_accuracy;
  double images_per_second = 0;
  int64_t steps = 0;
  std::optional<double> steps_to_goal;

  // What is compared: on samples that were not trained on, where there are any.
  double accuracy() const { return test_accuracy.value_or(val_accuracy.value_or(train_accuracy)); }
};

// "0.1", as in the names of folders.
std::string typed_rate(double rate);

struct SweepOutcome {
  std::string model, data, folder;
  std::optional<double> goal;  // a training loss
  std::vector<SweepPoint> points;

  std::string accuracy_of() const;  // "test", "validation" or "training"
  std::vector<std::optional<double>> rates() const;

  // The mean over seeds, at each batch, of the points with this rate.
  using Number = std::function<std::optional<double>(const SweepPoint&)>;
  std::map<int64_t, double> means(const std::optional<double>& rate, const Number& number) const;

  // The fewest steps to the goal at each batch that reached it, whatever the rate; the mean over seeds.
  std::vector<StepsAtBatch> best_steps() const;
  std::optional<CriticalBatch> critical_batch() const;
};

}  // namespace plimsoll
