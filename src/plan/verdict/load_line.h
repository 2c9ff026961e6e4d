// The load line: how much of a memory may be used, 80 % of it unless moved. The rest is for what no plan sees: the
// system, the driver, fragments between tensors.
#pragma once

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

inline constexpr double kLoadLine = 0.8;

Bytes bytes_under_line(Bytes memory, double load_line);

// The smallest memory with at least `needed` under its line, to a byte or two.
Bytes smallest_memory(Bytes needed, double load_line);

}  // namespace plimsoll
