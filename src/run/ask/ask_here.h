// The questions of planning, asked where our engine is at hand: answers about this machine are exact, kernel by kernel.
#pragma once

#include "plan/ask/fit_request.h"
#include "plan/ask/verb.h"

namespace plimsoll {

AskContext context_here();

Result<FitOutcome> ask_fit_here(const FitRequest& request, const Network& network);

}  // namespace plimsoll
