// TokenOptimizer: what optimizers of large networks keep for each number that they train. Several of them run nowhere
// in our engine (8-bit states, factors of matrices), so they are rows here and not operations.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

struct TokenOptimizer {
  std::string_view name;
  double moments = 2;     // numbers kept in the parameter's own format
  double own_bytes = 0;   // and bytes in formats of its own: 8-bit states with a scale for each 256
  double temporary = 1;   // numbers made while it updates: PyTorch's update of all tensors at once makes a copy
  bool paged = false;     // kept in memory that moves to the host when the device is short
  bool factored = false;  // a row and a column for each matrix instead of all of its numbers
  double flops = 12;      // of the update of one number
};

inline constexpr std::string_view kDefaultTokenOptimizer = "adamw";

std::span<const TokenOptimizer> all_token_optimizers();

// Written with or without '-' and '_': paged_adamw_8bit, adamw8bit. An Error lists them.
Result<const TokenOptimizer*> find_token_optimizer(const std::string& called, const std::string& name);

std::string token_optimizer_names();

}  // namespace plimsoll
