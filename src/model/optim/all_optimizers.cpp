#include "model/optim/all_optimizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/loose_name.h"
#include "base/text.h"

// One line an optimizer, in the order in which help lists them: PLIM_OPTIMIZER(adam) is adam_optimizer() in adam.cpp.
// clang-format off
#define PLIM_ALL_OPTIMIZERS(PLIM_OPTIMIZER) \
  PLIM_OPTIMIZER(sgd) \
  PLIM_OPTIMIZER(momentum) \
  PLIM_OPTIMIZER(nesterov) \
  PLIM_OPTIMIZER(adam) \
  PLIM_OPTIMIZER(adamw) \
  PLIM_OPTIMIZER(rmsprop) \
  PLIM_OPTIMIZER(lars) \
  PLIM_OPTIMIZER(lamb) \
  PLIM_OPTIMIZER(lion) \
  /* end of the list */
// clang-format on

namespace plimsoll {
namespace {

template <class Counts>
std::vector<std::string_view> names_where(Counts counts) {
  std::vector<std::string_view> names;
  for (const Optimizer* optimizer : all_optimizers())
    if (counts(*optimizer)) names.push_back(optimizer->name);
  return names;
}

}  // namespace

#define PLIM_DECLARE(name) const Optimizer& name##_optimizer();
PLIM_ALL_OPTIMIZERS(PLIM_DECLARE)

std::span<const Optimizer* const> all_optimizers() {
#define PLIM_ENTRY(name) &name##_optimizer(),
  static const Optimizer* const kOptimizers[] = {PLIM_ALL_OPTIMIZERS(PLIM_ENTRY)};
  return kOptimizers;
}

std::string optimizer_names() {
  return fmt::format("{}", fmt::join(names_where([](const Optimizer&) { return true; }), ", "));
}

std::string optimizers_with_momentum() {
  auto names = names_where([](const Optimizer& one) { return one.takes_momentum; });
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string usual_rates() {
  std::map<double, std::vector<std::string_view>, std::greater<>> by_rate;
  for (const Optimizer* optimizer : all_optimizers()) by_rate[optimizer->usual_rate].push_back(optimizer->name);
  const auto commonest = std::max_element(
      by_rate.begin(), by_rate.end(), [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  std::string text = fmt::format("{}", commonest->first);
  for (const auto& [rate, names] : by_rate)
    if (rate != commonest->first) text += fmt::format("; {} for {}", rate, fmt::join(names, ", "));
  return text;
}

Result<const Optimizer*> find_optimizer(std::string_view name) {
  std::vector<std::string> names;
  for (const Optimizer* optimizer : all_optimizers()) {
    if (optimizer->name == name || optimizer->name == loose_name(name)) return optimizer;
    names.emplace_back(optimizer->name);
  }
  const std::string guess = did_you_mean(name, names);
  return user_error(fmt::format("no optimizer is called {}", in_quotes(name)),
                    guess.empty() ? fmt::format("known: {}", fmt::join(names, ", ")) : guess);
}

}  // namespace plimsoll
