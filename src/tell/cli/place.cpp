// plimsoll place: which device, how long, how much?
#include "plan/ask/place_verb.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/accuracy_report.h"
#include "tell/report/place_report.h"
#include "tell/report/serving_report.h"
#include "tell/report/token_place_report.h"

namespace plimsoll {
namespace {

std::string text_of(const PlaceOutcome& outcome) { return place_text(outcome); }
std::string text_of(const AccuracyReply&) { return accuracy_text(); }
std::string text_of(const ServingPlaceOutcome& outcome) { return serving_place_text(outcome); }
std::string text_of(const TokenPlaceOutcome& outcome) { return token_place_text(outcome); }

Result<int> run_place(TypedVerb<PlaceRequest>& verb) {
  PLIM_ASSIGN(const AnyPlace answer, ask_any_place(verb.request, {}));
  return tell_answer(kPlaceSchema, answer, verb.output, [](const auto& outcome) { return text_of(outcome); });
}

}  // namespace

Action declare_place(CLI::App& app) {
  return typed_verb<PlaceRequest>(
      app,
      {.description = "Which device to use for a job: ranks the catalog's devices by time or money and recommends one, "
                      "CPU or GPU, with\nreasons. For training, or with --mode inference by latency, throughput and "
                      "cost per million samples.",
       .footer =
           "Examples:\n"
           "  plimsoll place resnet50 --samples 1281167 --epochs 90 --by money\n"
           "  plimsoll place alexnet --mode inference --device nvidia-t4 --device intel-i5-8250u\n"
           "  plimsoll place catsdogs --framework tensorflow --optimizer adam --device nvidia-t4 --batch 128 --samples "
           "20000 --host-cores 2 --decode-rate 27\n"
           "  plimsoll place llama-3.1-8b --mode generate --weights q4_k_m --prompt-tokens 1024 --output-tokens 256\n"
           "  plimsoll place llama-3.1-8b --method lora:16:all --tokens 1e9 --by money\n"
           "  plimsoll place --accuracy\n"
           "Exit codes: 0 placed, 1 no device can run it, 2 a mistake in the flags or the file, 4 the machine failed.",
       .limits = UsualLimits::some},
      run_place);
}

}  // namespace plimsoll
