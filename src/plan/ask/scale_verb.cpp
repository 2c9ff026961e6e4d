#include "plan/ask/accuracy_reply.h"
#include "plan/ask/token_scale_reply.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(ScaleRequest request, request_of<ScaleRequest>(json, "scale", context));
  if (request.links) return VerbAnswer{document_json(kScaleSchema, LinksReply{})};
  if (request.accuracy) return VerbAnswer{document_json(kScaleSchema, AccuracyReply{})};
  if (request.model.source.empty() && context.loaded) request.model.source = {"the model", context.loaded};
  if (!request.model.source.empty()) {
    PLIM_ASSIGN(const bool of_tokens, is_token_scale(request));
    if (of_tokens) {
      PLIM_ASSIGN(const TokenScaleOutcome outcome, ask_token_scale(request));
      return VerbAnswer{document_json(kScaleSchema, outcome), outcome.fits() && outcome.aim_met};
    }
  }
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const auto network, context.network(request.model));
  PLIM_ASSIGN(const ScaleOutcome outcome, ask_scale(request, *network));
  return VerbAnswer{document_json(kScaleSchema, outcome), outcome.forecast.aim_met};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<ScaleOutcome>(kScaleSchema, definitions),
          document_schema<AccuracyReply>(kScaleSchema, definitions),
          document_schema<LinksReply>(kScaleSchema, definitions),
          document_schema<TokenScaleOutcome>(kScaleSchema, definitions)};
}

}  // namespace

PlanVerb scale_verb() { return {"scale", kScaleSchema, rows_of<ScaleRequest>, forms, answer}; }

}  // namespace plimsoll
