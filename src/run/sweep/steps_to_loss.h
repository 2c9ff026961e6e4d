// How many steps a run took until its training loss had fallen to a goal, and what several batches say together about
// the critical batch: steps = least × (1 + critical / batch) (McCandlish et al. 2018).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll {

// Single steps are noisy: what counts is the mean over so many samples before and after a step.
inline constexpr int64_t kSmoothedSamples = 4096;

struct LoggedLoss {
  int64_t step = 1;
  double loss = 0;
};

// By step; not every step need be there. nullopt: not reached.
std::optional<double> steps_to_loss(std::span<const LoggedLoss> losses, int64_t batch, double goal);

// Those in a run's log.jsonl.
Result<std::vector<LoggedLoss>> logged_losses(const std::string& log_path);

struct StepsAtBatch {
  int64_t batch = 1;
  double steps = 0;
};

struct CriticalBatch {
  double least_steps = 0, critical = 0;
  double low = 0, high = 0;  // of `critical`, when each batch in turn is left out; the same where that cannot be done
};

// By least squares of relative deviations. nullopt with fewer than two batches, or when steps do not fall with the
// batch in a way that gives both numbers a meaning.
std::optional<CriticalBatch> fit_critical_batch(const std::vector<StepsAtBatch>& points);

}  // namespace plimsoll
