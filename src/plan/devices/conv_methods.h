// The methods that a way to convolve may choose from; layers that none of them computes are computed directly.
#pragma once

#include <vector>

#include "plan/devices/conv_rates.h"
#include "plan/devices/conv_way.h"

namespace plimsoll {

std::vector<ConvMethod> methods_of(ConvWay way);

}  // namespace plimsoll
