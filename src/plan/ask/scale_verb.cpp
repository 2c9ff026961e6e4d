#include "plan/ask/accuracy_reply.h"
#include "plan/ask/scale_reply.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(ScaleRequest request, request_of<ScaleRequest>(json, "scale", context));
  if (request.links) return VerbAnswer{document_json(kScaleSchema, LinksReply{})};
  if (request.accuracy) return VerbAnswer{document_json(kScaleSchema, AccuracyReply{})};
  PLIM_TRY(take_loaded(request.model, context));
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const auto network, context.network(request.model));
  PLIM_ASSIGN(const ScaleOutcome outcome, ask_scale(request, *network));
  return VerbAnswer{document_json(kScaleSchema, outcome), outcome.forecast.aim_met};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<ScaleOutcome>(kScaleSchema, definitions),
          document_schema<AccuracyReply>(kScaleSchema, definitions),
          document_schema<LinksReply>(kScaleSchema, definitions)};
}

}  // namespace

PlanVerb scale_verb() { return {"scale", kScaleSchema, rows_of<ScaleRequest>, forms, answer}; }

}  // namespace plimsoll
