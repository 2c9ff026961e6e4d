// plimsoll sharpness: is the minimum that a run found sharp or flat?
#include "base/rows/named.h"
#include "base/write_file.h"
#include "run/surface/sharpness_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/sharpness_report.h"

namespace plimsoll {
namespace {

Result<int> run_sharpness(TypedVerb<SharpnessRequest>& verb) {
  const auto say = [quiet = verb.output.quiet](const std::string& line) {
    if (!quiet) fmt::print(stderr, "{}\n", spoken(line, Door::command_line));
  };
  PLIM_ASSIGN(const SharpnessOutcome outcome, ask_sharpness(verb.request, say));
  if (verb.output.json) print_document(document_json(kSharpnessSchema, outcome));
  else print_text(sharpness_text(outcome.runs));
  if (!verb.output.plot) return int(kExitDone);
  PLIM_TRY(write_whole_file(*verb.output.plot, plot_svg(sharpness_plot(outcome.runs))));
  say(fmt::format("Drawn in {}.", printable(*verb.output.plot)));
  return int(kExitDone);
}

}  // namespace

Action declare_sharpness(CLI::App& app) {
  return typed_verb<SharpnessRequest>(
      app,
      {.description =
           "Is the minimum that a run found sharp or flat? Measures, as Keskar et al. do, how far the loss can rise in "
           "a small\nbox around the weights, and takes the loss along random directions, scaled filter by filter. "
           "Several runs are shown\nside by side: those of small and of large batches, say.",
       .footer =
           "Examples:\n"
           "  plimsoll sharpness runs/fmnist_cnn-1\n"
           "  plimsoll sharpness runs/batch-64 runs/batch-4096 --plot sharpness.svg\n"
           "Norms keep the statistics that training left; nothing is dropped or augmented. Runs with the same data and "
           "seed are\nmeasured on the same samples. A run's folder stands for its best checkpoint, or its last if "
           "there "
           "is no best.\n"
           "Exit codes: 0 done, 2 a mistake in flags, files or a checkpoint, 4 the machine failed.",
       .output = {.plot = "draw the loss along the directions into this .svg file", .quiet_help = "no progress"}},
      run_sharpness);
}

}  // namespace plimsoll
