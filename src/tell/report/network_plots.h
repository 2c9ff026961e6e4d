// The pictures of a network's report: the memory of a step by what it is, the batch against devices' lines, the
// roofline by kinds of work, devices by time and money.
#pragma once

#include "plan/ask/token_fit_request.h"
#include "tell/report/network_report.h"
#include "tell/report/plot.h"

namespace plimsoll {

Plot timeline_plot(const NetworkReport& report);
Plot timeline_plot(const TokenFitOutcome& fit);  // asked with its step
Roof roof_of(const TokenFitOutcome& fit);        // … on a device whose speed is known
Plot curve_plot(const NetworkReport& report);
Plot roof_plot(const Roof& roof);
Plot placement_plot(const NetworkReport& report);

// How many operations are predicted to run faster than the roof.
size_t above_roof(const Roof& roof);

}  // namespace plimsoll
