#include "plan/ask/scale_verb.h"

#include "plan/ask/frozen_network.h"

namespace plimsoll {

Result<AnyScale> ask_any_scale(const ScaleRequest& request, const AskContext& context) {
  if (request.links) return AnyScale{LinksReply{}};
  if (request.accuracy) return AnyScale{AccuracyReply{}};
  if (!request.model.source.empty()) {
    PLIM_ASSIGN(const bool of_tokens, is_token_scale(request));
    if (of_tokens) {
      PLIM_ASSIGN(TokenScaleOutcome outcome, ask_token_scale(request));
      return AnyScale{std::move(outcome)};
    }
  }
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const auto whole, context.network(request.model));
  const auto network = with_frozen(whole, request.training, request.step.mode);
  PLIM_ASSIGN(ScaleOutcome outcome, ask_scale(request, *network));
  return AnyScale{std::move(outcome), network};
}

namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(const ScaleRequest request, request_of<ScaleRequest>(json, "scale", context));
  PLIM_ASSIGN(const AnyScale any, ask_any_scale(request, context));
  return VerbAnswer{any.document(kScaleSchema), any.yes()};
}

std::vector<Json> forms(detail::Definitions& definitions) { return AnyScale::forms(kScaleSchema, definitions); }

}  // namespace

PlanVerb scale_verb() { return {"scale", kScaleSchema, rows_of<ScaleRequest>, forms, answer}; }

}  // namespace plimsoll
