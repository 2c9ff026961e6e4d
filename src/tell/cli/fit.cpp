// plimsoll fit: which batch stays under the load line?
#include "plan/ask/fit_reply.h"
#include "plan/ask/serving_fit_reply.h"
#include "plan/ask/token_fit_reply.h"
#include "run/ask/ask_here.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/arithmetic_fit_report.h"
#include "tell/report/fit_report.h"
#include "tell/report/serving_report.h"
#include "tell/report/token_fit_report.h"

namespace plimsoll {
namespace {

Result<int> run_arithmetic(const TypedVerb<FitRequest>& verb) {
  PLIM_ASSIGN(const ArithmeticOutcome outcome, ask_fit_by_arithmetic(verb.request));
  if (verb.output.json) print_document(document_json(kFitSchema, outcome));
  else print_text(arithmetic_fit_text(outcome));
  return int(outcome.fit.fits ? kExitDone : kExitNo);
}

Result<int> run_serving(const TypedVerb<FitRequest>& verb, const Network& network) {
  PLIM_ASSIGN(const ServingFitOutcome outcome, ask_serving_fit(verb.request, network));
  if (verb.output.json) print_document(document_json(kFitSchema, outcome));
  else print_text(serving_fit_text(outcome));
  return int(outcome.answer.fits ? kExitDone : kExitNo);
}

Result<int> run_token_fit(const TypedVerb<FitRequest>& verb) {
  PLIM_ASSIGN(const TokenFitOutcome outcome, ask_token_fit(verb.request));
  if (verb.output.json) print_document(document_json(kFitSchema, outcome));
  else print_text(token_fit_text(outcome));
  return int(outcome.fits() ? kExitDone : kExitNo);
}

Result<int> run_fit(TypedVerb<FitRequest>& verb) {
  PLIM_TRY(check(verb.request));
  if (verb.request.by_arithmetic()) return run_arithmetic(verb);
  PLIM_ASSIGN(const bool of_tokens, is_token_fit(verb.request));
  if (of_tokens) return run_token_fit(verb);
  PLIM_ASSIGN(const Network network, load_network(verb.request.model));
  if (verb.request.step.mode == Mode::generate) return run_serving(verb, network);
  if (verb.request.print_passes) {
    PLIM_ASSIGN(const std::string passes, passes_text(verb.request, network));
    fmt::print(stderr, "{}", passes);
  }
  PLIM_ASSIGN(const FitOutcome outcome, ask_fit_here(verb.request, network));
  if (verb.output.json) print_document(document_json(kFitSchema, outcome));
  else print_text(fit_text(outcome));
  return int(outcome.fits() ? kExitDone : kExitNo);
}

}  // namespace

Action declare_fit(CLI::App& app) {
  return typed_verb<FitRequest>(
      app,
      {.description = "Finds the largest batch that stays under the load line of a device, of an amount of memory or "
                      "of this machine;\nwith --batch, says whether that one does. Shows what takes the memory, what "
                      "crosses the line and what would help.",
       .footer = "Examples:\n"
                 "  plimsoll fit resnet50 --device nvidia-t4\n"
                 "  plimsoll fit resnet50 --memory 8GiB --framework pytorch --batch 64\n"
                 "  plimsoll fit model.onnx --device this --optimizer adam\n"
                 "  plimsoll fit qwen3-30b-a3b --mode generate --weights awq --concurrency 16 --device 5090\n"
                 "  plimsoll fit llama-3.1-8b --method lora:16 --sequence 2048 --device nvidia-rtx-4090\n"
                 "  plimsoll fit config.json --method full --device nvidia-a100-80gb --workers 8 --shard fsdp\n"
                 "  plimsoll fit --model-mb 100 --sample-mb 100 --activation-mb 500 --memory 8GB\n"
                 "Exit codes: 0 it fits, 1 it does not, 2 a mistake in the flags or the file, 4 the machine failed.",
       .limits = UsualLimits::some},
      run_fit);
}

}  // namespace plimsoll
