// Optimizer: a rule for updating parameters: what it keeps, what it costs, and the operation that does it. Each
// lives in a file of its own in this folder and is one line in all_optimizers.cpp.
//
// The operation updates one parameter tensor. Inputs: the parameter, its gradient, the states in the order of
// `state`, the learning rate and the step's number, counted from 1 (both scalars). Outputs: the new parameter and
// the new states, each in the memory of the old. States start as zeros. Settings are attributes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/ir/op.h"

namespace plimsoll {

struct Optimizer {
  std::string_view name;                // "adam"
  std::string_view summary;             // one line, with the source
  std::vector<std::string_view> state;  // tensors kept for each parameter, of its shape
  int64_t flops_per_parameter;          // of one update with the usual settings, a multiply-add being two
  const Op& (*update)();                // adam_update
  double usual_rate = 0.01;             // learning rate of a training that asks for no other
  bool takes_momentum = false;          // reads the setting "momentum"
};

}  // namespace plimsoll
