// TrainingPlan: a training step as it will run and the memory that it takes, exactly, before any of it is taken.
// Evaluations between epochs run in the step's own memory (Backend::compile_beside).
#pragma once

#include <functional>

#include "run/exec/backend.h"

namespace plimsoll {

struct TrainingPlan {
  std::unique_ptr<Lowered> step;
  MemoryPlan memory;
};

// `step`: as make_step() returned it.
Result<TrainingPlan> plan_training(const Backend& backend, Program step, int threads);

// The largest batch of at most `most` whose peak is under the line; 0 when not even one sample's is. A few batches
// only are asked for.
using PeakAt = std::function<Result<Bytes>(int64_t batch)>;
Result<int64_t> largest_batch_under(Bytes line, int64_t most, const PeakAt& peak_at);

}  // namespace plimsoll
