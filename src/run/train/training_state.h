// TrainingState: where a run stands between two steps, apart from the tensors. With it, the seed and the configuration
// a run goes on as if it had never stopped.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

// What a pass over samples came to.
struct Tally {
  double loss_sum = 0;  // of samples
  int64_t samples = 0, correct = 0;

  void add(double mean_loss, int64_t count, int64_t right) {
    loss_sum += mean_loss * double(count);
    samples += count;
    correct += right;
  }
  double loss() const { return samples == 0 ? 0 : loss_sum / double(samples); }
  double accuracy() const { return samples == 0 ? 0 : double(correct) / double(samples); }
};

// How many tokens a language model wavers between, on average: e to the loss.
inline double perplexity(double loss) { return std::exp(loss); }

// One epoch, as it is reported. An epoch that was cut short has fewer steps.
struct EpochReport {
  int64_t epoch = 1;  // from 1
  int64_t steps = 0;
  bool complete = true;
  double train_loss = 0;  // the running mean over the epoch
  double train_accuracy = 0;
  std::optional<double> val_loss, val_accuracy;
  Seconds seconds;  // of training, without validation
  double images_per_second = 0;
  double learning_rate = 0;                      // of its last step
  std::optional<double> tokens_per_second = {};  // of a language model

  bool language() const { return tokens_per_second.has_value(); }
  // Of a language model, where they are numbers.
  std::optional<double> train_perplexity() const { return perplexity_of(train_loss); }
  std::optional<double> val_perplexity() const { return val_loss ? perplexity_of(*val_loss) : std::nullopt; }

 private:
  std::optional<double> perplexity_of(double loss) const {
    const double value = perplexity(loss);
    return language() && std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
};

struct TrainingState {
  int64_t step = 0;     // batches taken, also those whose update was left out
  int64_t updates = 0;  // of the parameters: what optimizers count
  int64_t epoch = 0;    // that is going on, from 0
  int64_t batch = 0;    // batches of it that are done
  Tally running;        // of the epoch so far
  Seconds epoch_seconds, seconds;
  std::optional<double> best_score;
  int64_t best_epoch = 0, epochs_without_better = 0;
  std::vector<EpochReport> epochs;  // that are over
};

nlohmann::ordered_json to_json(const EpochReport& report);
nlohmann::ordered_json to_json(const TrainingState& state);

// An Error names the field that is missing or of another kind.
Result<TrainingState> read_training_state(const nlohmann::ordered_json& json);

}  // namespace plimsoll
