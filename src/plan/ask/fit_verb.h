// fit, whoever answers it: by arithmetic, as a training of tokens, as text being generated, or as a step.
#pragma once

#include "plan/ask/any_outcome.h"
#include "plan/ask/fit_reply.h"
#include "plan/ask/serving_fit_reply.h"
#include "plan/ask/token_fit_reply.h"

namespace plimsoll {

using AnyFit = AnyOutcome<FitOutcome, ArithmeticOutcome, ServingFitOutcome, TokenFitOutcome>;
Result<AnyFit> ask_any_fit(const FitRequest& request, const AskContext& context);

PlanVerb fit_verb();

}  // namespace plimsoll
