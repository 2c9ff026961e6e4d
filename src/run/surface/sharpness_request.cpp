#include "run/surface/sharpness_request.h"

#include "base/rows/named.h"
#include "base/text.h"
#include "run/surface/network_surface.h"
#include "run/train/judged_network.h"
#include "run/train/request_of_run.h"

namespace plimsoll {
namespace {

// On the command line an empty list cannot be written.
Status check(const SharpnessRequest& request) {
  if (request.runs.empty()) return user_error("no RUN is given", "for example sharpness runs/lenet5-1");
  if (request.epsilons.empty()) return user_error(named("epsilon") + " is an empty list, expected at least one number");
  return {};
}

std::vector<double> positions_of(const SharpnessRequest& request) {
  std::vector<double> positions;
  for (int64_t i = 0; i < request.points; ++i)
    positions.push_back(request.span * (2 * double(i) / double(request.points - 1) - 1));
  return positions;
}

// The network of a run, frozen, on its own training samples as they are: nothing is augmented.
Result<std::unique_ptr<NetworkSurface>> surface_of(const SharpnessRequest& request, const Checkpoint& checkpoint,
                                                   TrainRequest trained, const DataLines& say) {
  trained.data.augment.clear();
  trained.label_smoothing.reset();
  trained.weight_decay.reset();
  trained.momentum.reset();
  trained.micro_batches.reset();
  trained.optimizer = "sgd";
  trained.batch.samples = request.batch;
  request.engine.replace(trained);
  PLIM_ASSIGN(OpenedRun run, open_run(trained, say));
  run.step.form = TrainingForm::frozen;
  PLIM_ASSIGN(const Program step, make_step(run.forward, run.step));
  PLIM_ASSIGN(const Program inference, make_step(run.forward, {.fuse = run.step.fuse}));
  PLIM_ASSIGN(Judge judge, Judge::make(step, inference, run.data.train->info().type.classes));
  PLIM_ASSIGN(auto executor, make_executor(*run.backend, step, run.engine));
  PLIM_TRY(load_tensors(checkpoint, *executor));
  return NetworkSurface::make(step, std::move(executor), std::move(judge), run.data.train, run.loader, request.samples);
}

Status look_around(const SharpnessRequest& request, NetworkSurface& surface, RunSharpness& run, const DataLines& say) {
  const Point& trained = surface.trained();
  PLIM_ASSIGN(run.loss, surface.loss(trained));
  for (const double epsilon : request.epsilons) {
    say(fmt::format("{}: the highest loss within {:g} …", printable(run.run), epsilon));
    PLIM_ASSIGN(const Sharpness found,
                sharpness(surface, trained, epsilon, int(request.steps), uint64_t(request.seed)));
    run.boxes.push_back(found);
  }
  for (int64_t i = 0; i < request.directions; ++i) {
    say(fmt::format("{}: direction {} of {} …", printable(run.run), i + 1, request.directions));
    const Point direction = filter_direction(surface.parameters(), trained, uint64_t(request.seed) + uint64_t(i));
    PLIM_ASSIGN(std::vector<double> losses, losses_along(surface, trained, direction, run.positions));
    run.along.push_back(std::move(losses));
  }
  return {};
}

Result<RunSharpness> measure(const SharpnessRequest& request, const std::string& path, const DataLines& say) {
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(path));
  PLIM_ASSIGN(const TrainRequest trained, request_of_run(checkpoint));
  PLIM_ASSIGN(const auto surface, surface_of(request, checkpoint, trained, say));
  RunSharpness run{path, trained.model.source.name, trained.data.data};
  run.batch = checkpoint.config.value("batch", int64_t{0}) * checkpoint.config.value("micro_batches", int64_t{1}) *
              checkpoint.config.value("workers", int64_t{1});
  run.step = checkpoint.state.step;
  run.samples = surface->samples();
  run.positions = positions_of(request);
  PLIM_TRY(look_around(request, *surface, run, say));
  return run;
}

Row count_row(const char* name, const char* help, double least, double most) {
  return {.name = name, .subject = Subject::view, .help = help, .value = "N", .least = least, .most = most};
}

}  // namespace

void SharpnessRequest::describe(Fields& fields) {
  fields.add(runs, {.name = "run",
                    .subject = Subject::network,
                    .help = "folders of runs, or checkpoints",
                    .separator = 0,
                    .positional = true,
                    .required = true});
  fields.add(epsilons, {.name = "epsilon",
                        .subject = Subject::view,
                        .help = "half width of the box around each weight w, in units of |w| + 1; one or several",
                        .value = "LIST",
                        .least = 0,
                        .most = 1,
                        .edge = Edge::above});
  fields.add(samples, count_row("samples", "samples of the training set over which the loss is averaged", 1, 0x1p40));
  fields.add(steps, count_row("steps", "uphill steps in search of the highest loss in the box", 1, 10'000));
  fields.add(directions, count_row("directions", "random directions along which the loss is taken", 1, 1000));
  fields.add(points, count_row("points", "points along each direction", 3, 10'001));
  fields.add(span, {.name = "span",
                    .subject = Subject::view,
                    .help = "how far to go to either side, in units of each filter's norm",
                    .value = "LENGTHS",
                    .least = 0,
                    .most = 100,
                    .edge = Edge::above});
  fields.add(batch, count_row("batch", "samples at a time; does not affect the result", 1, double(kLargestBatch)));
  fields.add(seed, count_row("seed", "seed of the directions and of the search's start", 0, 0x1p63));
  engine.describe(fields);
}

double RunSharpness::mean_along(size_t position) const {
  double sum = 0;
  for (const auto& losses : along) sum += losses.at(position);
  return sum / double(along.size());
}

Result<SharpnessOutcome> ask_sharpness(const SharpnessRequest& request, const DataLines& say) {
  PLIM_TRY(check(request));
  SharpnessOutcome outcome;
  for (const auto& path : request.runs) {
    PLIM_ASSIGN(RunSharpness run, measure(request, path, say));
    outcome.runs.push_back(std::move(run));
  }
  return outcome;
}

}  // namespace plimsoll
