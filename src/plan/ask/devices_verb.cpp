#include "plan/ask/devices_reply.h"
#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(const DevicesRequest request, request_of<DevicesRequest>(json, "devices", context));
  PLIM_ASSIGN(const DevicesOutcome outcome, ask_devices(request));
  return VerbAnswer{document_json(kDevicesSchema, outcome)};
}

std::vector<Json> forms(detail::Definitions& definitions) {
  return {document_schema<DevicesOutcome>(kDevicesSchema, definitions)};
}

}  // namespace

PlanVerb devices_verb() { return {"devices", kDevicesSchema, rows_of<DevicesRequest>, forms, answer}; }

}  // namespace plimsoll
