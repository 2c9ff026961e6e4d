// plimsoll sharpness: is the minimum that a run found sharp or flat?
#include "run/ask/sharpness_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/sharpness_report.h"

namespace plimsoll {
namespace {

Result<int> run_sharpness(TypedVerb<SharpnessRequest>& verb) {
  PLIM_ASSIGN(const SharpnessOutcome outcome, ask_sharpness(verb.request, progress_lines(verb.output)));
  if (verb.output.json) print_document(document_json(kSharpnessSchema, outcome));
  else print_text(sharpness_text(outcome.runs));
  PLIM_TRY(write_plot(verb.output, [&] { return plot_svg(sharpness_plot(outcome.runs)); }));
  return int(kExitDone);
}

}  // namespace

Action declare_sharpness(CLI::App& app) {
  return typed_verb<SharpnessRequest>(
      app,
      {.description =
           "Is the minimum that a run found sharp or flat? Measures, as Keskar et al. do, how far the loss can rise in "
           "a small\nbox around the weights, and the loss along random directions, scaled filter by filter. Several "
           "runs are shown side\nby side, for example those of small and of large batches.",
       .footer =
           "Examples:\n"
           "  plimsoll sharpness runs/fmnist_cnn-1\n"
           "  plimsoll sharpness runs/batch-64 runs/batch-4096 --plot sharpness.svg\n"
           "Norms keep their statistics from training; there is no dropout or augmentation. Runs with the same data "
           "and seed are\nmeasured on the same samples. A run's folder stands for its best checkpoint, or its last "
           "if there is no best.\n"
           "Exit codes: 0 done, 2 a mistake in flags, files or a checkpoint, 4 the machine failed.",
       .output = {.plot = "draw the loss along the directions into this .svg file",
                  .quiet_help = "do not report progress"}},
      run_sharpness);
}

}  // namespace plimsoll
