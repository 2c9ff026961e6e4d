// The gradient noise scale that a run has measured: what stands for the critical batch.
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

// The last that the run in this folder has logged, as text.
Result<std::string> noise_scale_of_run(const std::string& folder);

}  // namespace plimsoll
