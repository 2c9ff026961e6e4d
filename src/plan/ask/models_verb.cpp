#include "plan/ask/models_request.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_TRY(request_of<ModelsRequest>(json, "models", context));
  PLIM_ASSIGN(const ModelsOutcome outcome, ask_models());
  return VerbAnswer{document_json(kModelsSchema, outcome)};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<ModelsOutcome>(kModelsSchema, definitions)};
}

}  // namespace

PlanVerb models_verb() { return {"models", kModelsSchema, rows_of<ModelsRequest>, forms, answer}; }

}  // namespace plimsoll
