// plimsoll bench: how long a step really takes here, and how much memory, beside what was predicted.
#include "base/file_beside.h"
#include "run/ask/bench_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/bench_plot.h"

namespace plimsoll {
namespace {

// Tried now, since measuring takes long.
Status check_plot(const TypedVerb<BenchRequest>& verb) {
  if (!verb.output.plot) return {};
  const BenchGrid grid = grid_of(verb.request);
  if (grid.threads.size() < 2 && grid.batches.size() < 2)
    return user_error("--plot needs several numbers of threads or several batches to draw a line through",
                      "for example --threads 1,2");
  PLIM_ASSIGN(const FileBeside tried, FileBeside::create(*verb.output.plot));
  return {};
}

Result<int> run_bench(TypedVerb<BenchRequest>& verb) {
  PLIM_TRY(check(verb.request));
  PLIM_TRY(check_plot(verb));
  PLIM_ASSIGN(const BenchOutcome outcome, ask_bench(verb.request));
  if (verb.output.json) print_document(document_json(kBenchSchema, outcome));
  else print_text(bench_text(outcome.runs, outcome.view));
  PLIM_TRY(write_plot(verb.output, [&] { return plots_svg(bench_plots(outcome.runs, outcome.view)); }));
  return int(kExitDone);
}

}  // namespace

Action declare_bench(CLI::App& app) {
  return typed_verb<BenchRequest>(
      app,
      {.description =
           "Measures how long a step really takes on this machine, and how much memory, beside what was planned and "
           "predicted.\nEach run is a separate process on made-up samples, which pass through the real loader.",
       .footer = "Examples:\n"
                 "  plimsoll bench alexnet --batch 32 --threads 1,2\n"
                 "  plimsoll bench resnet50 --batch 1,8 --mode inference --json\n"
                 "  plimsoll bench alexnet --batch 32 --threads 1,2 --conv direct,winograd --plot alexnet.svg\n"
                 "  plimsoll bench alexnet --batch 32 --threads 1,2 --beside nvidia-t4,intel-i5-8250u --plot "
                 "alexnet.svg\n"
                 "  plimsoll bench vgg16 --batch 4 --profile\n"
                 "Exit codes: 0 measured, 2 a mistake in the flags or the file, 4 the machine failed.",
       .output = {.plot = "draw time per epoch and speed-up against threads, and time per step against batch, into "
                          "this .svg file"}},
      run_bench);
}

}  // namespace plimsoll
