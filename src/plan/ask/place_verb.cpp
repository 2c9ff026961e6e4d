#include "plan/ask/accuracy_reply.h"
#include "plan/ask/place_reply.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(PlaceRequest request, request_of<PlaceRequest>(json, "place", context));
  if (request.accuracy) return VerbAnswer{document_json(kPlaceSchema, AccuracyReply{})};
  PLIM_TRY(take_loaded(request.model, context));
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const auto network, context.network(request.model));
  PLIM_ASSIGN(const PlaceOutcome outcome, ask_place(request, *network));
  return VerbAnswer{document_json(kPlaceSchema, outcome), !outcome.verdict.choice.empty()};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<PlaceOutcome>(kPlaceSchema, definitions),
          document_schema<AccuracyReply>(kPlaceSchema, definitions)};
}

}  // namespace

PlanVerb place_verb() { return {"place", kPlaceSchema, rows_of<PlaceRequest>, forms, answer}; }

}  // namespace plimsoll
