// plimsoll fit: which batch stays under the load line?
#include "plan/ask/fit_verb.h"
#include "run/ask/ask_here.h"
#include "tell/cli/print_aside.h"
#include "tell/cli/typed_verb.h"
#include "tell/cli/until_exit.h"
#include "tell/report/arithmetic_fit_report.h"
#include "tell/report/fit_report.h"
#include "tell/report/serving_report.h"
#include "tell/report/token_fit_report.h"

namespace plimsoll {
namespace {

std::string text_of(const FitOutcome& outcome) { return fit_text(outcome); }
std::string text_of(const ArithmeticOutcome& outcome) { return arithmetic_fit_text(outcome); }
std::string text_of(const ServingFitOutcome& outcome) { return serving_fit_text(outcome); }
std::string text_of(const TokenFitOutcome& outcome) { return token_fit_text(outcome); }

Result<int> run_fit(TypedVerb<FitRequest>& verb) {
  AskContext context = context_here();
  context.passes = [](const std::string& text) { print_aside("{}", text); };
  PLIM_ASSIGN(AnyFit found, ask_any_fit(verb.request, context));
  const AnyFit& answer = until_exit(std::move(found));
  return tell_answer(kFitSchema, answer, verb.output, [](const auto& outcome) { return text_of(outcome); });
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
