// What a sweep found, as text and plots.
#pragma once

#include "run/sweep/sweep_outcome.h"
#include "tell/report/plot.h"

namespace plimsoll {

std::string sweep_text(const SweepOutcome& sweep);
std::vector<Plot> sweep_plots(const SweepOutcome& sweep);

}  // namespace plimsoll
