#include "model/optim/all_optimizers.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/text.h"

namespace plimsoll {

const Optimizer& sgd_optimizer();
const Optimizer& momentum_optimizer();
const Optimizer& nesterov_optimizer();
const Optimizer& adam_optimizer();
const Optimizer& adamw_optimizer();
const Optimizer& rmsprop_optimizer();
const Optimizer& lars_optimizer();
const Optimizer& lamb_optimizer();

std::span<const Optimizer* const> all_optimizers() {
  static const Optimizer* const kOptimizers[] = {
      &sgd_optimizer(),   &momentum_optimizer(), &nesterov_optimizer(), &adam_optimizer(),
      &adamw_optimizer(), &rmsprop_optimizer(),  &lars_optimizer(),     &lamb_optimizer(),
  };
  return kOptimizers;
}

Result<const Optimizer*> find_optimizer(std::string_view name) {
  std::vector<std::string> names;
  for (const Optimizer* optimizer : all_optimizers()) {
    if (optimizer->name == name) return optimizer;
    names.emplace_back(optimizer->name);
  }
  const std::string guess = did_you_mean(name, names);
  return user_error(fmt::format("no optimizer is called {}", in_quotes(name)),
                    guess.empty() ? fmt::format("known: {}", fmt::join(names, ", ")) : guess);
}

}  // namespace plimsoll
