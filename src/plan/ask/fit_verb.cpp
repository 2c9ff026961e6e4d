#include "plan/ask/fit_verb.h"

#include "plan/ask/frozen_network.h"

namespace plimsoll {

Result<AnyFit> ask_any_fit(const FitRequest& request, const AskContext& context) {
  PLIM_TRY(check(request));
  if (request.by_arithmetic()) {
    PLIM_ASSIGN(ArithmeticOutcome outcome, ask_fit_by_arithmetic(request));
    return AnyFit{std::move(outcome)};
  }
  PLIM_ASSIGN(const bool of_tokens, is_token_fit(request));
  if (of_tokens) {
    PLIM_ASSIGN(TokenFitOutcome outcome, ask_token_fit(request));
    return AnyFit{std::move(outcome)};
  }
  PLIM_ASSIGN(const auto whole, context.network(request.model));
  const auto network = with_frozen(whole, request.training, request.step.mode);
  if (request.step.mode == Mode::generate) {
    PLIM_ASSIGN(ServingFitOutcome outcome, ask_serving_fit(request, *network));
    return AnyFit{std::move(outcome), network};
  }
  if (request.print_passes && context.passes) {
    PLIM_ASSIGN(const std::string text, passes_text(request, *network));
    context.passes(text);
  }
  // The page asks for whoever opens it: it loads no libraries and takes nothing of a GPU.
  const bool elsewhere = context.page && request.device && is_engine_device(*request.device);
  PLIM_ASSIGN(FitOutcome outcome, ask_fit(request, *network, elsewhere ? nullptr : context.engine));
  return AnyFit{std::move(outcome), network};
}

namespace {

Result<VerbAnswer> answer(const Json& json, const AskContext& context) {
  PLIM_ASSIGN(const FitRequest request, request_of<FitRequest>(json, "fit", context));
  PLIM_ASSIGN(const AnyFit any, ask_any_fit(request, context));
  return VerbAnswer{any.document(kFitSchema), any.yes()};
}

std::vector<Json> forms(detail::Definitions& definitions) { return AnyFit::forms(kFitSchema, definitions); }

}  // namespace

PlanVerb fit_verb() { return {"fit", kFitSchema, rows_of<FitRequest>, forms, answer}; }

}  // namespace plimsoll
