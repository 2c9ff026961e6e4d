#include "plan/ask/verb.h"
#include "plan/ask/weigh_reply.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(const WeighRequest request, request_of<WeighRequest>(json, "weigh", context));
  PLIM_ASSIGN(const WeighOutcome outcome, ask_weigh(request, context.network));
  return VerbAnswer{weigh_json(outcome)};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<WeightReply>(kWeighSchema, definitions),
          document_schema<ComparisonReply>(kWeighSchema, definitions)};
}

}  // namespace

PlanVerb weigh_verb() { return {"weigh", kWeighSchema, rows_of<WeighRequest>, forms, answer}; }

}  // namespace plimsoll
