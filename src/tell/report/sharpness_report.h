// What sharpness says: how sharply the loss rises around trained weights, as text and a plot.
#pragma once

#include "run/surface/sharpness_request.h"
#include "tell/report/plot.h"

namespace plimsoll {

std::string sharpness_text(const std::vector<RunSharpness>& runs);
Plot sharpness_plot(const std::vector<RunSharpness>& runs);

}  // namespace plimsoll
