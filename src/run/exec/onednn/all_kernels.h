// The kernels there are for each operation, the best first. What is not listed, or declined by all, runs by its
// reference maths.
#pragma once

#include <span>
#include <string_view>

#include "run/exec/onednn/site.h"

namespace plimsoll {

std::span<const MakeKernel> kernels_of(const Op& op);

// "direct", "winograd", "fft": which way of computing this kernel is, where an operation has several; "" elsewhere.
std::string_view way_of(MakeKernel make);

}  // namespace plimsoll
