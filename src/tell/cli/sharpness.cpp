// plimsoll sharpness: is the minimum that a run found sharp or flat?
#include <fmt/format.h>

#include "base/file_beside.h"
#include "base/text.h"
#include "base/write_file.h"
#include "run/surface/network_surface.h"
#include "tell/cli/command.h"
#include "tell/cli/judged_network.h"
#include "tell/cli/numbers.h"
#include "tell/cli/plot_flag.h"
#include "tell/cli/run_flags.h"
#include "tell/report/sharpness_report.h"

namespace plimsoll {
namespace {

struct SharpnessFlags {
  std::vector<std::string> runs;
  std::string epsilon = "0.001,0.0005", samples = "2000", steps = "10", directions = "3", points = "21", span = "1",
              batch = "100", seed = "0", plot;
  EngineFlags engine;
  bool json = false, quiet = false;
};

// The flags as numbers, read before anything is computed.
struct Request {
  std::vector<double> epsilons, positions;
  int64_t samples = 0, steps = 0, directions = 0, seed = 0;
};

Result<Request> read_request(const SharpnessFlags& flags) {
  Request request;
  for (const auto& part : split(flags.epsilon, ',')) {
    PLIM_ASSIGN(const double epsilon, parse_number("--epsilon", part, 0, Edge::above, 1));
    request.epsilons.push_back(epsilon);
  }
  PLIM_ASSIGN(request.samples, parse_integer("--samples", flags.samples, 1, int64_t{1} << 40));
  PLIM_ASSIGN(request.steps, parse_integer("--steps", flags.steps, 1, 10'000));
  PLIM_ASSIGN(request.directions, parse_integer("--directions", flags.directions, 1, 1000));
  PLIM_ASSIGN(request.seed, parse_integer("--seed", flags.seed, 0, INT64_MAX));
  PLIM_ASSIGN(const int64_t points, parse_integer("--points", flags.points, 3, 10'001));
  PLIM_ASSIGN(const double span, parse_number("--span", flags.span, 0, Edge::above, 100));
  for (int64_t i = 0; i < points; ++i) request.positions.push_back(span * (2 * double(i) / double(points - 1) - 1));
  if (flags.plot.empty()) return request;
  PLIM_TRY(check_plot_name(flags.plot));
  PLIM_TRY(check_can_replace(flags.plot));
  return request;
}

// The network of a run, frozen, on its own training samples as they are: nothing is augmented.
Result<std::unique_ptr<NetworkSurface>> surface_of(const SharpnessFlags& given, const Checkpoint& checkpoint,
                                                   TrainFlags flags, int64_t samples) {
  flags.data.augment.clear();
  flags.label_smoothing.clear();
  flags.weight_decay.clear();
  flags.momentum.clear();
  flags.micro_batches.clear();
  flags.optimizer = "sgd";
  flags.network.batch = given.batch;
  if (!given.engine.threads.empty()) flags.engine.threads = given.engine.threads;
  if (!given.engine.conv.empty()) flags.engine.conv = given.engine.conv;
  PLIM_ASSIGN(OpenedRun run, open_run(flags, given.quiet));
  run.step.form = TrainingForm::frozen;
  PLIM_ASSIGN(const Program step, make_step(run.forward, run.step));
  PLIM_ASSIGN(const Program inference, make_step(run.forward, {}));
  PLIM_ASSIGN(Judge judge, Judge::make(step, inference, run.data.train->info().type.classes));
  PLIM_ASSIGN(auto executor, make_executor(*run.backend, step, run.engine));
  PLIM_TRY(load_tensors(checkpoint, *executor));
  return NetworkSurface::make(step, std::move(executor), std::move(judge), run.data.train, run.loader, samples);
}

Result<RunSharpness> measure(const SharpnessFlags& given, const Request& request, const std::string& path) {
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(path));
  PLIM_ASSIGN(const TrainFlags flags, flags_of_run(checkpoint));
  PLIM_ASSIGN(const auto surface, surface_of(given, checkpoint, flags, request.samples));
  RunSharpness run{path, flags.model, flags.data.data};
  run.batch = checkpoint.config.value("batch", int64_t{0}) * checkpoint.config.value("micro_batches", int64_t{1}) *
              checkpoint.config.value("workers", int64_t{1});
  run.step = checkpoint.state.step;
  run.samples = surface->samples();
  run.positions = request.positions;
  const Point& trained = surface->trained();
  PLIM_ASSIGN(run.loss, surface->loss(trained));
  for (const double epsilon : request.epsilons) {
    if (!given.quiet) fmt::print(stderr, "{}: the highest loss within {:g} …\n", printable(path), epsilon);
    PLIM_ASSIGN(const Sharpness found,
                sharpness(*surface, trained, epsilon, int(request.steps), uint64_t(request.seed)));
    run.boxes.push_back(found);
  }
  for (int64_t i = 0; i < request.directions; ++i) {
    if (!given.quiet) fmt::print(stderr, "{}: direction {} of {} …\n", printable(path), i + 1, request.directions);
    const Point direction = filter_direction(surface->parameters(), trained, uint64_t(request.seed + i));
    PLIM_ASSIGN(std::vector<double> losses, losses_along(*surface, trained, direction, run.positions));
    run.along.push_back(std::move(losses));
  }
  return run;
}

Result<int> run_sharpness(const SharpnessFlags& flags) {
  PLIM_ASSIGN(const Request request, read_request(flags));
  std::vector<RunSharpness> runs;
  for (const auto& path : flags.runs) {
    PLIM_ASSIGN(RunSharpness run, measure(flags, request, path));
    runs.push_back(std::move(run));
  }
  fmt::print("{}", flags.json ? json_text(sharpness_json(runs)) : sharpness_text(runs));
  if (flags.plot.empty()) return int(kExitDone);
  PLIM_TRY(write_whole_file(flags.plot, plot_svg(sharpness_plot(runs))));
  if (!flags.quiet) fmt::print(stderr, "Drawn in {}.\n", printable(flags.plot));
  return int(kExitDone);
}

}  // namespace

Action declare_sharpness(CLI::App& app) {
  const auto flags = std::make_shared<SharpnessFlags>();
  app.description(
      "Is the minimum that a run found sharp or flat? The measure of Keskar et al. (how far the loss can rise in a "
      "small\n"
      "box around the weights) and the loss along random directions, scaled filter by filter, for one run or for "
      "several\n"
      "side by side: those of small and of large batches, say.");
  app.footer(
      "Examples:\n"
      "  plimsoll sharpness runs/fmnist_cnn-1\n"
      "  plimsoll sharpness runs/batch-64 runs/batch-4096 --plot sharpness.svg\n"
      "Norms keep the statistics that training left, nothing is dropped or augmented; both take the same samples when\n"
      "their data and seeds are the same. A folder stands for its best checkpoint, else its last.\n"
      "Exit codes: 0 done, 2 a mistake in flags, files or a checkpoint, 4 the machine failed.");
  app.add_option("RUN", flags->runs, "folders of runs, or checkpoints")->required();
  app.add_option("--epsilon", flags->epsilon, "half width of the box, one or several, each times |w| + 1")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--samples", flags->samples, "of the training set, on which the loss is taken")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--steps", flags->steps, "uphill, in search of the highest loss in the box")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--directions", flags->directions, "random ones, of which the mean is drawn")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--points", flags->points, "along each direction")->type_name("N")->capture_default_str();
  app.add_option("--span", flags->span, "how far to go to either side, in lengths of each filter")
      ->type_name("LENGTHS")
      ->capture_default_str();
  app.add_option("--batch", flags->batch, "samples at once; moves no result")->type_name("N")->capture_default_str();
  app.add_option("--seed", flags->seed, "of directions and of where the search begins")
      ->type_name("N")
      ->capture_default_str();
  flags->engine.declare(app);
  app.add_option("--plot", flags->plot, "draw the loss along the directions into this .svg file")->type_name("FILE");
  app.add_flag("--json", flags->json, "one JSON document");
  app.add_flag("--quiet", flags->quiet, "no progress");
  return [flags] { return run_sharpness(*flags); };
}

}  // namespace plimsoll
