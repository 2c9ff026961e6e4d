// plimsoll place: which device, how long, how much?
#include "plan/ask/accuracy_reply.h"
#include "plan/ask/token_place_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/accuracy_report.h"
#include "tell/report/place_report.h"
#include "tell/report/token_place_report.h"

namespace plimsoll {
namespace {

Result<int> run_token_place(const TypedVerb<PlaceRequest>& verb) {
  PLIM_ASSIGN(const TokenPlaceOutcome outcome, ask_token_place(verb.request));
  if (verb.output.json) print_document(document_json(kPlaceSchema, outcome));
  else print_text(token_place_text(outcome));
  return int(outcome.choice.empty() ? kExitNo : kExitDone);
}

Result<int> run_place(TypedVerb<PlaceRequest>& verb) {
  if (verb.request.accuracy) {
    if (verb.output.json) print_document(document_json(kPlaceSchema, AccuracyReply{}));
    else print_text(accuracy_text());
    return int(kExitDone);
  }
  PLIM_TRY(check(verb.request));
  PLIM_ASSIGN(const bool of_tokens, is_token_place(verb.request));
  if (of_tokens) return run_token_place(verb);
  PLIM_ASSIGN(const Network network, load_network(verb.request.model));
  PLIM_ASSIGN(const PlaceOutcome outcome, ask_place(verb.request, network));
  if (verb.output.json) print_document(document_json(kPlaceSchema, outcome));
  else print_text(place_text(outcome));
  return int(outcome.verdict.choice.empty() ? kExitNo : kExitDone);
}

}  // namespace

Action declare_place(CLI::App& app) {
  return typed_verb<PlaceRequest>(
      app,
      {.description =
           "Which device to take for a job: all devices of the catalog ranked by time or by money, and a verdict, CPU "
           "or GPU,\nwith its reasons. For training, and with --mode inference for latency, throughput and money per "
           "million samples.",
       .footer =
           "Examples:\n"
           "  plimsoll place resnet50 --samples 1281167 --epochs 90 --by money\n"
           "  plimsoll place alexnet --mode inference --device nvidia-t4 --device intel-i5-8250u\n"
           "  plimsoll place catsdogs --framework tensorflow --optimizer adam --device nvidia-t4 --batch 128 --samples "
           "20000 --host-cores 2 --decode-rate 27\n"
           "  plimsoll place llama-3.1-8b --method lora:16:all --tokens 1e9 --by money\n"
           "  plimsoll place --accuracy\n"
           "Exit codes: 0 placed, 1 nothing carries it, 2 a mistake in the flags or the file, 4 the machine failed.",
       .limits = UsualLimits::some},
      run_place);
}

}  // namespace plimsoll
