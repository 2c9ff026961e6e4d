// The fitted numbers of PyTorch's kernels on GPUs since Volta, in one table (torch_parameters.inc): each with its
// value, what was expected of it, the range that makes physical sense, its meaning and its source. No number is a
// card's or a network's.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll {

struct TorchParameters {
#define PLIM_TORCH(name, value, expected, low, high, meaning, source) double name = value;
#include "plan/time/torch_parameters.inc"
#undef PLIM_TORCH
};

struct TorchParameter {
  std::string_view name;
  double TorchParameters::*member;
  double expected, low, high;
  std::string_view meaning, source;
};

std::span<const TorchParameter> all_torch_parameters();

}  // namespace plimsoll
