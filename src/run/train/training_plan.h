// TrainingPlan: a training step as it will run and the memory that it takes, exactly, before any of it is taken.
// Evaluations between epochs run in the step's own memory (Backend::compile_beside).
#pragma once

#include "run/exec/backend.h"

namespace plimsoll {

struct TrainingPlan {
  Program forward;  // that it was made from
  Program whole;    // the step as make_step() returned it
  std::unique_ptr<Lowered> step;
  MemoryPlan memory;
};

// `step`: as make_step() returned it.
Result<TrainingPlan> plan_training(const Backend& backend, Program step, const EngineOptions& options);

}  // namespace plimsoll
