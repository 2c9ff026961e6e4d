#include "run/sweep/sweep_outcome.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {

std::string typed_rate(double rate) { return fmt::format("{}", rate); }

std::string SweepOutcome::accuracy_of() const {
  for (const auto& point : points) {
    if (point.test_accuracy) return "test";
    if (point.val_accuracy) return "validation";
  }
  return "training";
}

std::vector<std::optional<double>> SweepOutcome::rates() const {
  std::vector<std::optional<double>> rates;
  for (const auto& point : points)
    if (std::find(rates.begin(), rates.end(), point.rate) == rates.end()) rates.push_back(point.rate);
  return rates;
}

std::map<int64_t, double> SweepOutcome::means(const std::optional<double>& rate, const Number& number) const {
  std::map<int64_t, std::vector<double>> found;
  for (const auto& point : points)
    if (point.rate == rate)
      if (const auto value = number(point)) found[point.batch].push_back(*value);
  std::map<int64_t, double> means;
  for (const auto& [batch, values] : found)
    for (const double value : values) means[batch] += value / double(values.size());
  return means;
}

std::vector<StepsAtBatch> SweepOutcome::best_steps() const {
  std::map<int64_t, double> fewest;
  for (const auto& rate : rates())
    for (const auto& [batch, steps] : means(rate, [](const SweepPoint& point) { return point.steps_to_goal; }))
      if (!fewest.contains(batch) || steps < fewest[batch]) fewest[batch] = steps;
  std::vector<StepsAtBatch> list;
  for (const auto& [batch, steps] : fewest) list.push_back({batch, steps});
  return list;
}

std::optional<CriticalBatch> SweepOutcome::critical_batch() const {
  return goal ? fit_critical_batch(best_steps()) : std::nullopt;
}

}  // namespace plimsoll
