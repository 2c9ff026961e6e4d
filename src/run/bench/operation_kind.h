// The kind that an operation is counted under when a step's time is split up: few enough to read, fine enough to act
// on.
#pragma once

#include <string>

#include "model/ir/program.h"

namespace plimsoll {

// "convolution backward weights, winograd", "batch norm", "reorder". `way`: as Lowered::way() names it.
std::string operation_kind(const Operation& operation, std::string_view way);

}  // namespace plimsoll
