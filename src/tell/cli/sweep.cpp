// plimsoll sweep: what batch size and learning rate do to accuracy and speed. Each point is a run of train of its own.
#include "base/rows/named.h"
#include "base/write_file.h"
#include "run/sweep/sweep_reply.h"
#include "run/sweep/sweep_run.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/sweep_report.h"

namespace plimsoll {
namespace {

int tell_stop(const SweepStop& stop) {
  fmt::print(stderr, "plimsoll: {}: train ended with exit code {}{}\n", printable(stop.run_dir, 200), stop.exit_code,
             stop.told() ? "; the same command goes on from here" : "");
  return stop.exit_code;
}

Result<int> run_sweep(TypedVerb<SweepRequest>& verb) {
  const bool quiet = verb.output.quiet;
  const auto say = [quiet](const std::string& line) {
    if (!quiet) fmt::print(stderr, "{}\n", spoken(line, Door::command_line));
  };
  PLIM_ASSIGN(const SweepEnding ending, ask_sweep(verb.request, {say, quiet}));
  if (ending.stopped) return tell_stop(*ending.stopped);
  if (verb.output.json) print_document(document_json(kSweepSchema, ending.outcome));
  else print_text(sweep_text(ending.outcome));
  if (!verb.output.plot) return int(kExitDone);
  PLIM_TRY(write_whole_file(*verb.output.plot, plots_svg(sweep_plots(ending.outcome))));
  say(fmt::format("Drawn in {}.", printable(*verb.output.plot)));
  return int(kExitDone);
}

}  // namespace

Action declare_sweep(CLI::App& app) {
  return typed_verb<SweepRequest>(
      app,
      {.description =
           "What batch size and learning rate do to accuracy and speed: trains with each of several batches, rates and "
           "seeds\n(--batch, --lr and --seed take lists) and everything else the same, each in a run of its own. When "
           "it is run again, it\ngoes on where it stopped; finished runs are kept, and the lists may grow.",
       .footer =
           "Examples:\n"
           "  plimsoll sweep lenet5 --data mnist --epochs 3 --batch 32,256,2048 --lr 0.01,0.1 --plot sweep.svg\n"
           "  plimsoll sweep fmnist_cnn --data fashion-mnist --batch 64,512 --seed 0,1,2 --goal-loss 0.4 --json\n"
           "Exit codes: those of train; a run whose loss is no longer a number is a point of the sweep and does not "
           "end it.",
       .output = {.plot = "draw accuracy, speed and steps against batch into this .svg file",
                  .json = "one JSON document at the end; progress goes to stderr",
                  .quiet_help = "no progress"}},
      run_sweep);
}

}  // namespace plimsoll
