// plimsoll eval: how good a checkpoint is on data.
#include <fmt/format.h>

#include <chrono>

#include "base/text.h"
#include "tell/cli/command.h"
#include "tell/cli/judged_network.h"
#include "tell/cli/run_flags.h"
#include "tell/report/eval_report.h"

namespace plimsoll {
namespace {

struct EvalFlags {
  std::string checkpoint, data, part, batch, loaders, backend;
  EngineFlags engine;
  bool json = false, quiet = false;
};

// The run's flags, with what eval is asked for otherwise in their place.
Result<TrainFlags> flags_of(const EvalFlags& given, const Checkpoint& checkpoint) {
  PLIM_ASSIGN(TrainFlags flags, flags_of_run(checkpoint));
  const auto replace = [](std::string& flag, const std::string& other) {
    if (!other.empty()) flag = other;
  };
  if (!given.data.empty() && given.data != flags.data.data) flags.data.validation = "0";  // all of a set of its own
  replace(flags.data.data, given.data);
  replace(flags.data.loaders, given.loaders);
  replace(flags.engine.threads, given.engine.threads);
  replace(flags.engine.conv, given.engine.conv);
  replace(flags.backend, given.backend);
  flags.network.batch = given.batch;
  if (given.batch.empty())
    flags.network.batch = fmt::format("{}", checkpoint.config.value("batch", int64_t{kDefaultTrainBatch}));
  return flags;
}

Result<int> run_eval(const EvalFlags& given) {
  const auto start = std::chrono::steady_clock::now();
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(given.checkpoint));
  PLIM_ASSIGN(const TrainFlags flags, flags_of(given, checkpoint));
  PLIM_ASSIGN(JudgedNetwork judged, open_for_judging(checkpoint, flags, given.quiet));
  PLIM_ASSIGN(const DataPart part, judged.part(given.part));
  PLIM_ASSIGN(Evaluated evaluated, evaluate_network(*judged.inference, *judged.judge, part.dataset, judged.loader));
  EvalView view{checkpoint.path,
                flags.data.data,
                part.name,
                checkpoint.state.step,
                judged.data.train->info().class_names,
                std::move(evaluated.evaluation),
                {}};
  view.seconds = {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  fmt::print("{}", given.json ? json_text(eval_json(view)) : eval_text(view));
  return int(kExitDone);
}

}  // namespace

Action declare_eval(CLI::App& app) {
  const auto flags = std::make_shared<EvalFlags>();
  app.description("How good a trained network is: loss, accuracy, that of each class, and what is taken for what.");
  app.footer(
      "Examples:\n"
      "  plimsoll eval runs/fmnist_cnn-1\n"
      "  plimsoll eval runs/catsdogs-1/last.json --data ./pictures --json\n"
      "A run's folder stands for its best checkpoint, else its last. Without --data it is the run's own set.\n"
      "Exit codes: 0 done, 2 a mistake in flags, files or the checkpoint, 4 the machine failed.");
  app.add_option("CHECKPOINT", flags->checkpoint, "a run's folder, or a checkpoint's .json or .safetensors")
      ->required();
  app.add_option("--data", flags->data, "a set by name, or a path (default: the run's own)")->type_name("DATASET");
  app.add_option("--part", flags->part, "test, validation or train (default: the first that is there)")
      ->type_name("NAME");
  app.add_option("--batch", flags->batch, "samples at once (default: the run's)")->type_name("N");
  app.add_option("--loaders", flags->loaders, "loader workers")->type_name("N");
  flags->engine.declare(app);
  app.add_option("--backend", flags->backend, "onednn or reference")->type_name("NAME");
  app.add_flag("--json", flags->json, "one JSON document, with the confusion matrix: a row a label, a column a choice");
  app.add_flag("--quiet", flags->quiet, "no messages besides the answer");
  return [flags] { return run_eval(*flags); };
}

}  // namespace plimsoll
