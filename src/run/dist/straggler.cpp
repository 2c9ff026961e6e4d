#include "run/dist/straggler.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr int64_t kFirstSteps = 3, kSteps = 30;  // of warming up, and before anybody is named
constexpr double kMemory = 0.9, kTimes = 2;
constexpr double kNothing = 0.01;  // seconds: what a busy machine does to anybody

double median_of_others(std::vector<double> times, size_t one) {
  times.erase(times.begin() + ptrdiff_t(one));
  const auto middle = times.begin() + ptrdiff_t((times.size() - 1) / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace

std::optional<StragglerFound> Straggler::step(std::span<const double> seconds) {
  if (++steps_ <= kFirstSteps || seconds.size() < 2) return std::nullopt;
  if (lately_.empty()) lately_.assign(seconds.begin(), seconds.end());
  for (size_t i = 0; i < lately_.size(); ++i) lately_[i] = kMemory * lately_[i] + (1 - kMemory) * seconds[i];
  if (steps_ < kSteps) return std::nullopt;
  const auto slowest = size_t(std::max_element(lately_.begin(), lately_.end()) - lately_.begin());
  const double others = median_of_others(lately_, slowest);
  if (others <= 0 || lately_[slowest] < kTimes * others + kNothing || !named_.insert(int(slowest)).second)
    return std::nullopt;
  return StragglerFound{int(slowest), lately_[slowest] / others, lately_[slowest] - others};
}

}  // namespace plimsoll
