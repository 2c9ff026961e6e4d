// scale, whoever answers it: for a training of tokens or a step; or what is known of links and of its own accuracy.
#pragma once

#include "plan/ask/accuracy_reply.h"
#include "plan/ask/any_outcome.h"
#include "plan/ask/token_scale_reply.h"

namespace plimsoll {

using AnyScale = AnyOutcome<ScaleOutcome, AccuracyReply, LinksReply, TokenScaleOutcome>;
Result<AnyScale> ask_any_scale(const ScaleRequest& request, const AskContext& context);

PlanVerb scale_verb();

}  // namespace plimsoll
