#include "plan/ask/models_request.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(const ModelsRequest request, request_of<ModelsRequest>(json, "models", context));
  if (request.language) {
    PLIM_ASSIGN(const LanguageModelsOutcome outcome, ask_language_models());
    return VerbAnswer{document_json(kModelsSchema, outcome)};
  }
  PLIM_ASSIGN(const ModelsOutcome outcome, ask_models());
  return VerbAnswer{document_json(kModelsSchema, outcome)};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<ModelsOutcome>(kModelsSchema, definitions),
          document_schema<LanguageModelsOutcome>(kModelsSchema, definitions)};
}

}  // namespace

PlanVerb models_verb() { return {"models", kModelsSchema, rows_of<ModelsRequest>, forms, answer}; }

}  // namespace plimsoll
