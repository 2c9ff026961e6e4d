// The list of all optimizers. A new one is a file in this folder and a line in all_optimizers.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/optim/optimizer.h"

namespace plimsoll {

inline constexpr std::string_view kDefaultOptimizer = "momentum";

std::span<const Optimizer* const> all_optimizers();

// An unknown name is an Error with the nearest ones.
Result<const Optimizer*> find_optimizer(std::string_view name);

// For help and errors: every name, the names that take momentum, and the usual learning rates, the commonest first:
// "0.01; 0.001 for adam, lamb".
std::string optimizer_names();
std::string optimizers_with_momentum();  // "momentum, nesterov and lars"
std::string usual_rates();

}  // namespace plimsoll
