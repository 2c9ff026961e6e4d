// fit_here: `fit` for our own engine on this machine: what it would really take, kernel by kernel. Where only direct
// convolutions stay under the line, they are what is answered, with what that costs.
#pragma once

#include "plan/verdict/engine_here.h"
#include "plan/verdict/fit.h"

namespace plimsoll {

Result<FitAnswer> fit_here(FitQuestion question, const EngineHere& engine, std::optional<int64_t> threads,
                           ConvSetting conv);

}  // namespace plimsoll
