// The kernels there are for each operation, the best first. What is not listed, or declined by all, runs by its
// reference maths.
#pragma once

#include <span>

#include "run/exec/onednn/site.h"

namespace plimsoll {

std::span<const Implementation> kernels_of(const Op& op);

}  // namespace plimsoll
