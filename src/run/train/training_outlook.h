// What a training says of itself: the plan before the first step, why it does not begin, what came of it.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "plan/memory/declined.h"
#include "plan/memory/memory_plan.h"
#include "run/train/trainer.h"

namespace plimsoll {

// What is known before the first step.
struct TrainingOutlook {
  std::string model, data, run_dir, optimizer, schedule, backend;
  int64_t train_samples = 0, validation_samples = 0, test_samples = 0, classes = 0;
  int64_t batch = 1, micro_batches = 1, epochs = 1, steps_per_epoch = 0;
  int threads = 1, loaders = 0, workers = 1;
  DType wire = DType::f32;  // what gradients travel in between them
  double learning_rate = 0, load_line = 0;
  uint64_t seed = 0;
  int64_t parameters = 0;
  int64_t tokens = 0;  // of a language model's sequence; else 0
  Bytes planned, memory, line;
  Bytes checkpoints;  // largest room that they take on the disk
  std::optional<Bytes> disk_free;
  std::optional<Seconds> predicted_step;  // nullopt: this machine has not been probed
  std::vector<std::string> by_reference;  // operations without a fast kernel
  std::vector<std::string> evaluation_by_reference;
  std::vector<DeclinedGroup> declined;  // kernels that were asked and could not
  int64_t reorders = 0;
  std::map<ConvMethod, int64_t> conv_methods;  // how many convolutions are computed how
  std::vector<std::string> notes;
  bool resumed = false;
  int64_t first_step = 0;

  int64_t step_samples() const { return batch * micro_batches * workers; }  // of all workers
};

// It does not fit: which tensor breaks the line, and the batch that would do.
struct TrainingRefusal {
  std::optional<TensorInMemory> breaking;
  int64_t largest_batch = 0;  // 0: none
};

// What came of it.
struct TrainingResult {
  TrainingOutcome outcome;
  std::vector<Bytes> peaks;  // of each worker's process, as the system counts it
  Seconds seconds;           // of the whole run, this process
  std::string report;        // the file; empty when it could not be written

  // Of all its steps; nullopt: this machine has not been probed.
  std::optional<Seconds> predicted(const TrainingOutlook& outlook) const {
    if (!outlook.predicted_step) return std::nullopt;
    return Seconds{outlook.predicted_step->value * double(outcome.steps)};
  }
  Bytes peak() const { return peaks.empty() ? Bytes(0) : *std::max_element(peaks.begin(), peaks.end()); }
};

}  // namespace plimsoll
