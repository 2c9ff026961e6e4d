// Optimizer: what a rule for updating parameters keeps and costs. Each lives in a file of its own
// in this folder and is one line in all_optimizers.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll {

struct Optimizer {
  std::string_view name;                // "adam"
  std::string_view summary;             // one line, with the source
  std::vector<std::string_view> state;  // tensors kept for each parameter, of its shape
  int64_t flops_per_parameter;          // of one update, a multiply-add being two
};

}  // namespace plimsoll
