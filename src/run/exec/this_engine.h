// Our engine on this machine: its options by what was asked and what was measured here, and its lowering for planning.
#pragma once

#include "plan/verdict/engine_here.h"
#include "run/exec/engine_options.h"

namespace plimsoll {

// `threads` absent: one for each core that this process may use, cgroup limits respected. Convolutions are chosen by
// the rates of the probe, where there is one.
EngineOptions engine_options(std::optional<int64_t> threads, ConvSetting conv, const RunDevice& device = {},
                             const ComputeFormat& format = {});

// For whoever plans; lives as long as the program.
const EngineHere& engine_here();

}  // namespace plimsoll
