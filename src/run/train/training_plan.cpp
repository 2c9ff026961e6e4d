#include "run/train/training_plan.h"

#include <algorithm>

namespace plimsoll {

Result<TrainingPlan> plan_training(const Backend& backend, Program step, int threads) {
  TrainingPlan plan;
  PLIM_ASSIGN(plan.step, backend.lowering(threads)->lower(std::move(step)));
  plan.memory = plan_memory(plan.step->program, plan.step->rules());
  return plan;
}

// The peak grows with the batch, nearly in proportion: each answer says how far to go.
Result<int64_t> largest_batch_under(Bytes line, int64_t most, const PeakAt& peak_at) {
  int64_t fits = 0, beyond = most + 1;
  for (int64_t batch = most; fits + 1 < beyond;) {
    PLIM_ASSIGN(const Bytes peak, peak_at(batch));
    if (peak <= line) fits = batch;
    else beyond = batch;
    const double share = peak.overflowed() ? 0.5 : double(line.value()) / double(peak.value());
    // Within the bracket, and at least an eighth into it, so that few questions are enough.
    const int64_t inset = std::max<int64_t>(1, (beyond - fits) / 8);
    batch =
        std::clamp(int64_t(double(batch) * std::min(share, 2.0)), fits + inset, std::max(fits + inset, beyond - inset));
  }
  return fits;
}

}  // namespace plimsoll
