#include "run/train/training_plan.h"

namespace plimsoll {

Result<TrainingPlan> plan_training(const Backend& backend, Program step, const EngineOptions& options) {
  TrainingPlan plan;
  plan.whole = step;
  PLIM_ASSIGN(plan.step, backend.lowering(options)->lower(std::move(step)));
  plan.memory = plan_memory(plan.step->program, plan.step->rules());
  return plan;
}

}  // namespace plimsoll
