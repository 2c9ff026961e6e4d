#include "plan/ask/verb.h"
#include "plan/ask/weigh_reply.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(WeighRequest request, request_of<WeighRequest>(json, "weigh", context));
  if (request.models.empty()) {
    PLIM_TRY(take_loaded(request.sizes, context));
    if (context.loaded) request.models.push_back(request.sizes.source);
  }
  PLIM_TRY(check(request));
  WeighOutcome outcome{request.view(), {}, {}};
  for (const auto& source : request.models) {
    ModelRequest model = request.sizes;
    model.source = source;
    PLIM_ASSIGN(const auto network, context.network(model));
    PLIM_ASSIGN(Weight weight, weigh_one(request, source, *network));
    outcome.weights.push_back(std::move(weight));
  }
  PLIM_ASSIGN(outcome.trainings, trainings_of(request));
  return VerbAnswer{weigh_json(outcome)};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<WeightReply>(kWeighSchema, definitions),
          document_schema<ComparisonReply>(kWeighSchema, definitions)};
}

}  // namespace

PlanVerb weigh_verb() { return {"weigh", kWeighSchema, rows_of<WeighRequest>, forms, answer}; }

}  // namespace plimsoll
