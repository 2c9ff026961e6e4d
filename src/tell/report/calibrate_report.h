// A calibration as people read it: both numbers before and after, and the runs that led to them.
#pragma once

#include <string>

#include "plan/ask/calibrate_request.h"

namespace plimsoll {

std::string calibrate_text(const CalibrateOutcome& outcome);

}  // namespace plimsoll
