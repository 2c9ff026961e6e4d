// The answer of scale as text and tables.
#pragma once

#include <string>
#include <vector>

#include "plan/ask/scale_request.h"

namespace plimsoll {

std::string scale_text(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view);
std::string scale_markdown(const ScaleForecast& forecast, const ScaleView& view);
std::string scale_csv(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view);

}  // namespace plimsoll
