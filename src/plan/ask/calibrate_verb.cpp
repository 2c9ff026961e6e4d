#include "plan/ask/calibrate_reply.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(const CalibrateRequest request, request_of<CalibrateRequest>(json, "calibrate", context));
  PLIM_ASSIGN(const CalibrateOutcome outcome, ask_calibrate(request));
  return VerbAnswer{document_json(kCalibrateSchema, outcome)};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<CalibrateOutcome>(kCalibrateSchema, definitions)};
}

}  // namespace

PlanVerb calibrate_verb() { return {"calibrate", kCalibrateSchema, rows_of<CalibrateRequest>, forms, answer}; }

}  // namespace plimsoll
