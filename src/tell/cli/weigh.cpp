// plimsoll weigh: what does it weigh?
#include "plan/ask/weigh_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/weigh_report.h"

namespace plimsoll {
namespace {

std::string rendered(const WeighOutcome& outcome, const OutputFlags& output) {
  const auto& [view, weights, trainings] = outcome;
  if (weights.size() == 1)
    return output.csv        ? weigh_csv(weights[0], view)
           : output.markdown ? weigh_markdown(weights[0], view)
                             : weigh_text(weights[0], view);
  return output.csv        ? compare_csv(weights, trainings)
         : output.markdown ? compare_markdown(weights, trainings)
                           : compare_text(weights, trainings);
}

Result<int> run_weigh(TypedVerb<WeighRequest>& verb) {
  PLIM_ASSIGN(const WeighOutcome outcome, ask_weigh(verb.request));
  if (verb.output.json) print_document(weigh_json(outcome));
  else print_text(rendered(outcome, verb.output));
  return int(kExitDone);
}

}  // namespace

Action declare_weigh(CLI::App& app) {
  return typed_verb<WeighRequest>(
      app,
      {.description = "What a network weighs: parameters, operations and memory, layer by layer.\n"
                      "With several networks: side by side.",
       .footer = "Examples:\n"
                 "  plimsoll weigh resnet50 --batch 32 --sort macs --top 10\n"
                 "  plimsoll weigh googlenet --depth 1\n"
                 "  plimsoll weigh resnet50 densenet121 --epochs 90,90 --epoch-time 2h,3h\n"
                 "  plimsoll weigh model.onnx --json\n"
                 "Exit codes: 0 weighed, 2 a mistake in the flags or the file, 4 the machine failed.",
       .output = {.tables = true},
       .limits = UsualLimits::some},
      run_weigh);
}

}  // namespace plimsoll
