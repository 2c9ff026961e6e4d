// The methods that a way to convolve may choose from; layers that none of them computes are computed directly.
#pragma once

#include <vector>

#include "plan/devices/conv_rates.h"
#include "plan/devices/conv_setting.h"

namespace plimsoll {

std::vector<ConvMethod> methods_of(ConvSetting way);

}  // namespace plimsoll
