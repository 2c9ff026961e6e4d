// How long a lowered step takes on this machine, by what was measured of it; nothing when it was not.
#pragma once

#include <optional>

#include "plan/time/step_time.h"
#include "run/exec/engine_options.h"

namespace plimsoll {

std::optional<StepTime> predicted_step(const Program& lowered, const EngineOptions& engine);

}  // namespace plimsoll
