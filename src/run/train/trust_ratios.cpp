#include "run/train/trust_ratios.h"

#include <algorithm>

#include "run/exec/step_results.h"

namespace plimsoll {

std::vector<TrustRatio> trust_ratios(const Executor& step) {
  const Program& program = step.program();
  std::vector<TrustRatio> ratios;
  for (size_t i = first_update(program); i < program.operations.size(); ++i)
    if (const auto ratio = step.trust_ratio(i))
      ratios.push_back({program.value(program.operations[i].inputs.at(0)).name, *ratio});
  return ratios;
}

std::optional<TrustSpread> spread_of(std::vector<TrustRatio> ratios) {
  if (ratios.empty()) return std::nullopt;
  std::stable_sort(ratios.begin(), ratios.end(),
                   [](const TrustRatio& a, const TrustRatio& b) { return a.ratio < b.ratio; });
  return TrustSpread{ratios.front(), ratios[(ratios.size() - 1) / 2], ratios.back()};
}

}  // namespace plimsoll
