#include "plan/ask/fit_reply.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(FitRequest request, request_of<FitRequest>(json, "fit", context));
  PLIM_TRY(take_loaded(request.model, context));
  PLIM_TRY(check(request));
  if (request.by_arithmetic()) {
    PLIM_ASSIGN(const ArithmeticOutcome outcome, ask_fit_by_arithmetic(request));
    return VerbAnswer{document_json(kFitSchema, outcome), outcome.fit.fits};
  }
  PLIM_ASSIGN(const auto network, context.network(request.model));
  PLIM_ASSIGN(const FitOutcome outcome, ask_fit(request, *network, context.engine));
  return VerbAnswer{document_json(kFitSchema, outcome), outcome.fits()};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<FitOutcome>(kFitSchema, definitions),
          document_schema<ArithmeticOutcome>(kFitSchema, definitions)};
}

}  // namespace

PlanVerb fit_verb() { return {"fit", kFitSchema, rows_of<FitRequest>, forms, answer}; }

}  // namespace plimsoll
