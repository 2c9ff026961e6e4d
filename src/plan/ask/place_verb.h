// place, whoever answers it: for a training of tokens, text being generated, or a step; or how far off it has been.
#pragma once

#include "plan/ask/accuracy_reply.h"
#include "plan/ask/any_outcome.h"
#include "plan/ask/place_reply.h"
#include "plan/ask/serving_place_reply.h"
#include "plan/ask/token_place_reply.h"

namespace plimsoll {

using AnyPlace = AnyOutcome<PlaceOutcome, AccuracyReply, ServingPlaceOutcome, TokenPlaceOutcome>;
Result<AnyPlace> ask_any_place(const PlaceRequest& request, const AskContext& context);

PlanVerb place_verb();

}  // namespace plimsoll
