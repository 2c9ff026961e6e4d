// How the step of a question is run, as far as its time depends on it.
#pragma once

#include "plan/time/execution.h"
#include "plan/verdict/fit.h"

namespace plimsoll {

Execution execution_of(const FitQuestion& question);

}  // namespace plimsoll
