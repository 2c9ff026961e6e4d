// plimsoll sweep: what batch size and learning rate do to accuracy and speed. Each point is a run of train of its own.
#include "run/ask/sweep_reply.h"
#include "tell/cli/print_aside.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/sweep_report.h"

namespace plimsoll {
namespace {

int tell_stop(const SweepStop& stop) {
  print_aside("plimsoll: {}: train ended with exit code {}{}\n", printable(stop.run_dir, 200), stop.exit_code,
              stop.told() ? "; the same command continues from here" : "");
  return stop.exit_code;
}

Result<int> run_sweep(TypedVerb<SweepRequest>& verb) {
  PLIM_ASSIGN(const SweepEnding ending, ask_sweep(verb.request, {progress_lines(verb.output), verb.output.quiet}));
  if (ending.stopped) return tell_stop(*ending.stopped);
  if (verb.output.json) print_document(document_json(kSweepSchema, ending.outcome));
  else print_text(sweep_text(ending.outcome));
  PLIM_TRY(write_plot(verb.output, [&] { return plots_svg(sweep_plots(ending.outcome)); }));
  return int(kExitDone);
}

}  // namespace

Action declare_sweep(CLI::App& app) {
  return typed_verb<SweepRequest>(
      app,
      {.description =
           "What batch size and learning rate do to accuracy and speed: trains with each of several batches, rates and "
           "seeds\n(--batch, --lr and --seed take lists) and everything else the same, each in a run of its own. Run "
           "again, it\ncontinues where it stopped; finished runs are kept, and the lists may grow.",
       .footer =
           "Examples:\n"
           "  plimsoll sweep lenet5 --data mnist --epochs 3 --batch 32,256,2048 --lr 0.01,0.1 --plot sweep.svg\n"
           "  plimsoll sweep fmnist_cnn --data fashion-mnist --batch 64,512 --seed 0,1,2 --goal-loss 0.4 --json\n"
           "Exit codes: those of train; a run whose loss is no longer a number is a point of the sweep and does not "
           "end it.",
       .output = {.plot = "draw accuracy, speed and steps against batch into this .svg file",
                  .json = "one JSON document at the end; progress goes to stderr",
                  .quiet_help = "do not report progress"}},
      run_sweep);
}

}  // namespace plimsoll
