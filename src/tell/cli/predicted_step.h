// How long a lowered step takes on this machine, by what was measured of it; nothing when it was not.
#pragma once

#include <optional>

#include "model/ir/program.h"
#include "run/exec/engine_options.h"

namespace plimsoll {

std::optional<Seconds> predicted_step(const Program& lowered, const EngineOptions& engine);

}  // namespace plimsoll
