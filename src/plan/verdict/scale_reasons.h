// What a forecast means, in sentences made from its numbers.
#pragma once

#include <string>
#include <vector>

#include "plan/verdict/scale_forecast.h"

namespace plimsoll {

std::vector<std::string> scale_reasons(const Scaling& scaling, const ScaleForecast& forecast, const ScaleAim& aim);

}  // namespace plimsoll
