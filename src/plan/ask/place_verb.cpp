#include "plan/ask/accuracy_reply.h"
#include "plan/ask/token_place_reply.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(PlaceRequest request, request_of<PlaceRequest>(json, "place", context));
  if (request.accuracy) return VerbAnswer{document_json(kPlaceSchema, AccuracyReply{})};
  if (request.model.source.empty() && context.loaded) request.model.source = {"the model", context.loaded};
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const bool of_tokens, is_token_place(request));
  if (of_tokens) {
    PLIM_ASSIGN(const TokenPlaceOutcome outcome, ask_token_place(request));
    return VerbAnswer{document_json(kPlaceSchema, outcome), !outcome.choice.empty()};
  }
  PLIM_ASSIGN(const auto network, context.network(request.model));
  PLIM_ASSIGN(const PlaceOutcome outcome, ask_place(request, *network));
  return VerbAnswer{document_json(kPlaceSchema, outcome), !outcome.verdict.choice.empty()};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<PlaceOutcome>(kPlaceSchema, definitions),
          document_schema<AccuracyReply>(kPlaceSchema, definitions),
          document_schema<TokenPlaceOutcome>(kPlaceSchema, definitions)};
}

}  // namespace

PlanVerb place_verb() { return {"place", kPlaceSchema, rows_of<PlaceRequest>, forms, answer}; }

}  // namespace plimsoll
