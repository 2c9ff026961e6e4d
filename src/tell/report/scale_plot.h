// A forecast as plots: images a second, time and money against workers.
#pragma once

#include <vector>

#include "tell/report/plot.h"
#include "tell/report/scale_report.h"

namespace plimsoll {

std::vector<Plot> scale_plots(const Scaling& scaling, const ScaleForecast& forecast, const ScaleView& view);

}  // namespace plimsoll
