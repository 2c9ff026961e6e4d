// TrainingPlan: what a training run will take of the memory, exactly, before anything of it is taken: the step, the
// evaluations between epochs, and the batches that loaders read ahead.
#pragma once

#include <functional>

#include "run/exec/backend.h"

namespace plimsoll {

struct TrainingPlan {
  int64_t batch = 1;
  std::unique_ptr<Lowered> step;
  MemoryPlan step_plan;
  MemoryPlan evaluation_plan;
  Bytes loader;  // of one loader; during an evaluation there are two

  Bytes step_peak() const { return step_plan.peak() + loader; }
  // The step's arena is given back meanwhile; what stays from step to step stays.
  Bytes evaluation_peak() const {
    return step_plan.fixed + step_plan.persistent + evaluation_plan.persistent + evaluation_plan.arena + loader +
           loader;
  }
  Bytes peak() const { return std::max(step_peak(), evaluation_peak()); }

  // The tensor whose allocation crosses the line; nullopt when all of it stays under.
  std::optional<TensorInMemory> first_over(Bytes line) const;
};

// `step` and `inference`: of the same network at the same batch, as make_step() returned them.
Result<TrainingPlan> plan_training(const Backend& backend, Program step, Program inference, int threads, Bytes loader);

// The largest batch of at most `most` whose plan stays under the line; 0 when not even one sample does. `plan` is asked
// for a few batches only.
using PlanAt = std::function<Result<TrainingPlan>(int64_t batch)>;
Result<int64_t> largest_batch(const PlanAt& plan, int64_t most, Bytes line);

}  // namespace plimsoll
