#include "run/train/training_plan.h"

#include <algorithm>

namespace plimsoll {

Result<TrainingPlan> plan_training(const Backend& backend, Program step, Program inference, int threads, Bytes loader) {
  TrainingPlan plan;
  plan.batch = step.batch;
  plan.loader = loader;
  const auto lowering = backend.lowering(threads);
  PLIM_ASSIGN(plan.step, lowering->lower(std::move(step)));
  plan.step_plan = plan_memory(plan.step->program, plan.step->rules());
  PLIM_ASSIGN(const auto evaluation, lowering->lower(std::move(inference)));
  plan.evaluation_plan = plan_memory(evaluation->program, evaluation->rules());
  return plan;
}

std::optional<TensorInMemory> TrainingPlan::first_over(Bytes line) const {
  if (peak() <= line) return std::nullopt;
  if (const auto tensor = plimsoll::first_over(step->program, step_plan, line - loader)) return tensor;
  return step_plan.largest;
}

// The peak grows with the batch, nearly in proportion: each answer says how far to go.
Result<int64_t> largest_batch(const PlanAt& plan, int64_t most, Bytes line) {
  int64_t fits = 0, beyond = most + 1;
  for (int64_t batch = most; fits + 1 < beyond;) {
    PLIM_ASSIGN(const TrainingPlan at, plan(batch));
    const Bytes peak = at.peak();
    if (peak <= line) fits = batch;
    else beyond = batch;
    const double share = peak.overflowed() ? 0.5 : double(line.value()) / double(peak.value());
    const auto next = int64_t(double(batch) * std::min(share, 2.0));
    // Within the bracket, and at least a quarter into it, so that few steps are enough.
    const int64_t inset = (beyond - fits) / 4;
    batch = std::clamp(next, fits + std::max<int64_t>(1, inset), std::max(fits + 1, beyond - 1 - inset));
  }
  return fits;
}

}  // namespace plimsoll
