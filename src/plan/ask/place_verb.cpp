#include "plan/ask/place_verb.h"

#include "plan/ask/frozen_network.h"

namespace plimsoll {

Result<AnyPlace> ask_any_place(const PlaceRequest& request, const AskContext& context) {
  if (request.accuracy) return AnyPlace{AccuracyReply{}};
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const bool of_tokens, is_token_place(request));
  if (of_tokens) {
    PLIM_ASSIGN(TokenPlaceOutcome outcome, ask_token_place(request));
    return AnyPlace{std::move(outcome)};
  }
  PLIM_ASSIGN(const auto whole, context.network(request.model));
  const auto network = with_frozen(whole, request.training, request.step.mode);
  if (request.step.mode == Mode::generate) {
    PLIM_ASSIGN(ServingPlaceOutcome outcome, ask_serving_place(request, *network));
    return AnyPlace{std::move(outcome), network};
  }
  PLIM_ASSIGN(PlaceOutcome outcome, ask_place(request, *network));
  return AnyPlace{std::move(outcome), network};
}

namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(const PlaceRequest request, request_of<PlaceRequest>(json, "place", context));
  PLIM_ASSIGN(const AnyPlace any, ask_any_place(request, context));
  return VerbAnswer{any.document(kPlaceSchema), any.yes()};
}

std::vector<Json> forms(detail::Definitions& definitions) { return AnyPlace::forms(kPlaceSchema, definitions); }

}  // namespace

PlanVerb place_verb() { return {"place", kPlaceSchema, rows_of<PlaceRequest>, forms, answer}; }

}  // namespace plimsoll
