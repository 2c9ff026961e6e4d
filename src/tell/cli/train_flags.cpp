#include "tell/cli/train_flags.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
#include "model/optim/all_optimizers.h"
#include "model/optim/presets.h"
#include "plan/verdict/load_line.h"
#include "run/dist/watch.h"
#include "tell/cli/numbers.h"
#include "tell/cli/step_flags.h"
#include "tell/cli/wire_flag.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostStarted = 100'000, kMostEpochs = 1'000'000, kMostSteps = 1'000'000'000'000;

// They move no number of the result, or say when to stop.
const std::set<std::string> kMayChange = {"--epochs",    "--max-steps",  "--threads", "--loaders",   "--memory",
                                          "--load-line", "--early-stop", "--on-nan",  "--save-every"};

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<Loss> loss_of(const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& loss : all_losses()) {
    if (loss.name == name) return loss.loss;
    names.push_back(loss.name);
  }
  return user_error(fmt::format("--loss is {}, expected one of {}", plimsoll::in_quotes(name), fmt::join(names, ", ")));
}

// Of flags that may be changed, or of those that may not.
template <class Flags>
auto table(Flags& flags) {
  using Text = decltype(&flags.model);
  return std::map<std::string, Text>{{"MODEL", &flags.model},
                                     {"--batch", &flags.network.batch},
                                     {"--dtype", &flags.network.dtype},
                                     {"--input", &flags.network.input},
                                     {"--classes", &flags.network.classes},
                                     {"--max-nodes", &flags.network.max_nodes},
                                     {"--data", &flags.data.data},
                                     {"--loaders", &flags.data.loaders},
                                     {"--validation", &flags.data.validation},
                                     {"--normalise", &flags.data.normalise},
                                     {"--mean", &flags.data.mean},
                                     {"--std", &flags.data.deviation},
                                     {"--augment", &flags.data.augment},
                                     {"--bad-samples", &flags.data.bad_samples},
                                     {"--epochs", &flags.epochs},
                                     {"--max-steps", &flags.max_steps},
                                     {"--optimizer", &flags.optimizer},
                                     {"--lr", &flags.lr},
                                     {"--schedule", &flags.schedule},
                                     {"--warmup", &flags.warmup},
                                     {"--warmup-from", &flags.warmup_from},
                                     {"--scale-lr", &flags.scale_lr},
                                     {"--batchnorm", &flags.batchnorm},
                                     {"--micro-batches", &flags.micro_batches},
                                     {"--weight-decay", &flags.weight_decay},
                                     {"--momentum", &flags.momentum},
                                     {"--label-smoothing", &flags.label_smoothing},
                                     {"--loss", &flags.loss},
                                     {"--seed", &flags.seed},
                                     {"--early-stop", &flags.early_stop},
                                     {"--monitor", &flags.monitor},
                                     {"--on-nan", &flags.on_nan},
                                     {"--save-every", &flags.save_every},
                                     {"--renew-norms", &flags.renew_norms},
                                     {"--wire", &flags.wire},
                                     {"--threads", &flags.engine.threads},
                                     {"--conv", &flags.engine.conv},
                                     {"--backend", &flags.backend},
                                     {"--memory", &flags.memory},
                                     {"--load-line", &flags.load_line}};
}

}  // namespace

void TrainFlags::declare(CLI::App& app) {
  app.add_option("MODEL", model, "a network of the zoo ('plimsoll models') or the path of an .onnx file");
  network.declare(app, fmt::format("samples a step, or auto: as many as stay under the load line, at most 256 "
                                   "(default {})",
                                   kDefaultTrainBatch));
  app.add_option("--micro-batches", micro_batches,
                 "a step adds up the gradients of so many batches of --batch each, in the memory of one (default 1)")
      ->type_name("N");
  data.declare(app);
  app.add_option("--epochs", epochs, "passes over the training set (default 1)")->type_name("N");
  app.add_option("--max-steps", max_steps, "stop after so many steps, what came before --resume included")
      ->type_name("N");
  app.add_option("--optimizer", optimizer,
                 fmt::format("{} (default {}); presets: {}", optimizer_names(), kDefaultOptimizer, preset_names()))
      ->type_name("NAME");
  app.add_option("--lr", lr, fmt::format("learning rate (default {})", usual_rates()))->type_name("RATE");
  app.add_option("--schedule", schedule,
                 "constant (default), cosine, poly[:POWER], step[:EPOCHS[:FACTOR]] (a tenth at each third)")
      ->type_name("HOW");
  app.add_option("--warmup", warmup, "steps in which the rate grows to --lr, or epochs: 500, 5epochs")->type_name("N");
  app.add_option(
         "--warmup-from", warmup_from,
         "where the warm-up begins: zero, or workers: the rate divided by their number (default with --scale-lr)")
      ->type_name("WHERE");
  app.add_option("--scale-lr", scale_lr,
                 "what --lr is times for many workers: linear (their number), sqrt, none (default)")
      ->type_name("HOW");
  app.add_option("--batchnorm", batchnorm,
                 "over which samples batch norms take statistics: local (each worker's batch; default), sync (all "
                 "workers'), ghost:32 (groups of 32)")
      ->type_name("WHICH");
  app.add_option("--weight-decay", weight_decay, "pull of the weights towards zero")->type_name("SHARE");
  app.add_option("--momentum", momentum, "of " + optimizers_with_momentum() + " (default 0.9)")->type_name("SHARE");
  app.add_option("--label-smoothing", label_smoothing, "share of each target that is spread over all classes")
      ->type_name("SHARE");
  app.add_option("--loss", loss,
                 "softmax-cross-entropy, binary-cross-entropy, mean-squared-error (default: by the output)")
      ->type_name("NAME");
  app.add_option("--seed", seed, "of weights, order, augmentation and dropout (default 0)")->type_name("N");
  app.add_option("--early-stop", early_stop, "stop after so many epochs without a better validation; use the best")
      ->type_name("N");
  app.add_option("--monitor", monitor, "what better means: accuracy (default) or loss")->type_name("WHAT");
  app.add_option("--save-every", save_every,
                 "a checkpoint at least so often inside an epoch: 10min (default), 90s, 200steps")
      ->type_name("WHEN");
  app.add_flag("--save-best", save_best, "keep the best epoch's weights and use them in the end");
  app.add_option(
         "--renew-norms", renew_norms,
         "in the end batch norms' statistics are taken anew over so many batches: needed after few, large steps")
      ->type_name("N");
  app.add_flag("--same-batches", same_batches,
               "all workers take the same samples: shows what a run is worth that forgot to share them");
  app.add_option("--on-nan", on_nan,
                 "when the loss is not a number: stop (default), skip the update, reload the last "
                 "checkpoint")
      ->type_name("HOW");
  app.add_option("--run-dir", run_dir, "where the run is kept (default runs/MODEL-N)")->type_name("DIR");
  app.add_flag("--resume", resume, "go on with the run in --run-dir; flags not given are that run's");
  engine.declare(app);
  app.add_option("--backend", backend, "onednn (default) or reference (slow, exact)")->type_name("NAME");
  app.add_option("--memory", memory, "memory that may be loaded (default: this machine's, or its container's)")
      ->type_name("SIZE");
  app.add_option("--load-line", load_line, "how far it may be filled (default 0.8)")->type_name("SHARE");
  app.add_option("--np", np, "workers, started through mpirun; --batch is of each (also -np; default 1)")
      ->type_name("N");
  app.add_option("--hosts", hosts, "machines and how many workers each may have: a:4,b:4 (default: this one)")
      ->type_name("LIST");
  app.add_option("--wire", wire,
                 "format of gradients on their way between workers: f32 (default), bf16 or f16; the rounding is told")
      ->type_name("FORMAT");
  app.add_option("--max-restarts", max_restarts,
                 "so often a run that lost a worker goes on from its last checkpoint (default 0)")
      ->type_name("N");
  app.add_option("--silence", silence, "a worker that says nothing for so many seconds is lost (default 60)")
      ->type_name("SECONDS");
  app.add_flag("--json", json, "one JSON document at the end; progress goes to stderr");
  app.add_flag("--quiet", quiet, "no progress");
}

Json TrainFlags::typed() const {
  Json json = Json::object();
  for (const auto& [name, value] : table(*this))
    if (!value->empty()) json[name] = *value;
  if (!network.dims.empty()) json["--dim"] = network.dims;
  if (save_best) json["--save-best"] = true;
  if (same_batches) json["--same-batches"] = true;
  return json;
}

Status TrainFlags::take_over(const Json& typed) {
  for (const auto& [name, value] : table(*this)) {
    const auto stored = typed.find(name);
    const bool there = stored != typed.end() && stored->is_string();
    const std::string before = there ? stored->get<std::string>() : "";
    if (value->empty()) {
      if (name != "--max-steps") *value = before;  // it ended that run, not this one
    } else if (*value != before && !kMayChange.contains(name)) {
      return user_error(fmt::format("{} is {}, but the run was begun with {}", name, plimsoll::in_quotes(*value),
                                    before.empty() ? "the default" : plimsoll::in_quotes(before)),
                        "leave it out, or begin another run in another --run-dir");
    }
  }
  if (typed.contains("--save-best")) save_best = true;
  if (typed.contains("--same-batches")) same_batches = true;
  if (network.dims.empty() && typed.contains("--dim") && typed["--dim"].is_array())
    for (const auto& dim : typed["--dim"])
      if (dim.is_string()) network.dims.push_back(dim.get<std::string>());
  return {};
}

Result<int64_t> TrainFlags::read_batch() const {
  PLIM_ASSIGN(const auto batch, network.read_batch());
  return batch.value_or(kDefaultTrainBatch);
}

Result<int64_t> TrainFlags::read_epochs() const {
  return epochs.empty() ? Result<int64_t>(1) : parse_integer("--epochs", epochs, 1, kMostEpochs);
}

Result<uint64_t> TrainFlags::read_seed() const {
  if (seed.empty()) return uint64_t{0};
  PLIM_ASSIGN(const int64_t read, parse_integer("--seed", seed, 0, INT64_MAX));
  return uint64_t(read);
}

Result<const Backend*> TrainFlags::read_backend() const {
  if (backend.empty()) return all_backends().front();
  return find_backend(backend);
}

Result<double> TrainFlags::read_load_line() const {
  return load_line.empty() ? Result<double>(kLoadLine) : parse_number("--load-line", load_line, 0, Edge::above, 1);
}

Result<std::optional<int>> TrainFlags::read_np() const {
  if (np.empty()) return std::optional<int>();
  PLIM_ASSIGN(const int64_t read, parse_integer("--np", np, 1, kMostStarted));
  return std::optional(int(read));
}

Result<int> TrainFlags::read_max_restarts() const {
  if (max_restarts.empty()) return 0;
  PLIM_ASSIGN(const int64_t read, parse_integer("--max-restarts", max_restarts, 0, 1'000'000));
  return int(read);
}

Result<DType> TrainFlags::read_wire() const {
  if (wire.empty()) return DType::f32;
  return parse_wire(wire);
}

Result<Seconds> TrainFlags::read_silence() const {
  if (silence.empty()) return kUsualSilence;
  PLIM_ASSIGN(const double read, parse_number("--silence", silence, 1, Edge::included, 1e6));
  return Seconds{read};
}

Result<StepOptions> TrainFlags::read_step() const {
  StepOptions options;
  PLIM_ASSIGN(const OptimizerChoice chosen,
              choose_optimizer(optimizer.empty() ? std::string(kDefaultOptimizer) : optimizer));
  options.optimizer = chosen.optimizer;
  options.optimizer_settings = chosen.settings;
  if (!momentum.empty() && !options.optimizer->takes_momentum)
    return user_error(
        fmt::format("--momentum is for {}, the optimizer is {}", optimizers_with_momentum(), options.optimizer->name),
        "--optimizer momentum is gradient descent with momentum");
  if (!momentum.empty()) {
    PLIM_ASSIGN(const double read, parse_number("--momentum", momentum, 0, Edge::included, 1));
    options.optimizer_settings.set("momentum", read);
  }
  if (!weight_decay.empty()) {
    PLIM_ASSIGN(const double read, parse_number("--weight-decay", weight_decay, 0, Edge::included, 1));
    options.optimizer_settings.set("weight_decay", read);
  }
  if (!label_smoothing.empty()) {
    PLIM_ASSIGN(options.label_smoothing, parse_number("--label-smoothing", label_smoothing, 0, Edge::included, 0.99));
  }
  if (!loss.empty()) {
    PLIM_ASSIGN(options.loss, loss_of(loss));
  }
  if (!micro_batches.empty()) {
    PLIM_ASSIGN(options.micro_batches, parse_integer("--micro-batches", micro_batches, 1, kMostMicroBatches));
  }
  return options;
}

Result<BatchNormGroups> TrainFlags::read_batch_norm(int64_t workers) const {
  BatchNormGroups groups;
  if (batchnorm.empty() || batchnorm == "local") return groups;
  if (batchnorm == "sync") {
    if (workers > 1) groups = {BatchNormOver::workers, 0, workers};  // of one worker they are its own
    return groups;
  }
  if (!batchnorm.starts_with("ghost"))
    return user_error(
        fmt::format("--batchnorm is {}, expected local, sync or ghost:N", plimsoll::in_quotes(batchnorm)));
  groups.over = BatchNormOver::ghosts;
  if (batchnorm != "ghost") {
    if (batchnorm[5] != ':')
      return user_error(fmt::format("--batchnorm is {}, expected ghost:N", plimsoll::in_quotes(batchnorm)));
    PLIM_ASSIGN(groups.ghost, parse_integer("--batchnorm", batchnorm.substr(6), 1, kLargestBatch));
  }
  return groups;
}

Result<Schedule> TrainFlags::read_schedule(int64_t steps_per_epoch, int64_t workers) const {
  Schedule made;
  PLIM_ASSIGN(const int64_t all, read_epochs());
  PLIM_ASSIGN(const StepOptions step, read_step());
  made.base = step.optimizer->usual_rate;
  if (!lr.empty()) {
    PLIM_ASSIGN(made.base, parse_number("--lr", lr, 0, Edge::above, 1e6));
  }
  if (!scale_lr.empty() && !one_of(scale_lr, {"linear", "sqrt", "none"}))
    return user_error(fmt::format("--scale-lr is {}, expected linear, sqrt or none", plimsoll::in_quotes(scale_lr)));
  const bool scaled = scale_lr == "linear" || scale_lr == "sqrt";
  if (scaled) made.base *= scale_lr == "linear" ? double(workers) : std::sqrt(double(workers));
  if (!warmup_from.empty() && !one_of(warmup_from, {"zero", "workers"}))
    return user_error(fmt::format("--warmup-from is {}, expected zero or workers", plimsoll::in_quotes(warmup_from)));
  if (warmup_from == "workers" || (warmup_from.empty() && scaled)) made.warm_from = 1 / double(workers);
  made.steps = all * steps_per_epoch;
  PLIM_TRY(parse_schedule(schedule.empty() ? "constant" : schedule, all, steps_per_epoch, made));
  if (!warmup.empty()) {
    PLIM_ASSIGN(made.warmup, parse_warmup(warmup, steps_per_epoch));
  }
  return made;
}

Status TrainFlags::read_save_every(TrainerSetup& setup) const {
  constexpr std::string_view kSteps = "steps";
  if (!save_every.ends_with(kSteps)) {
    PLIM_ASSIGN(setup.save_every, parse_time("--save-every", save_every));
    return {};
  }
  const std::string number = save_every.substr(0, save_every.size() - kSteps.size());
  PLIM_ASSIGN(setup.save_every_steps, parse_integer("--save-every", number, 1, kMostSteps));
  return {};
}

Status TrainFlags::read_trainer(TrainerSetup& setup) const {
  PLIM_ASSIGN(setup.epochs, read_epochs());
  PLIM_ASSIGN(setup.seed, read_seed());
  if (!max_steps.empty()) {
    PLIM_ASSIGN(setup.max_steps, parse_integer("--max-steps", max_steps, 1, kMostSteps));
  }
  if (!early_stop.empty()) {
    PLIM_ASSIGN(setup.patience, parse_integer("--early-stop", early_stop, 1, kMostEpochs));
  }
  if (!save_every.empty()) PLIM_TRY(read_save_every(setup));
  setup.save_best = save_best;
  setup.same_batches = same_batches;
  if (!renew_norms.empty()) {
    PLIM_ASSIGN(setup.renewed_batches, parse_integer("--renew-norms", renew_norms, 1, kMostSteps));
  }
  if (!monitor.empty() && monitor != "accuracy" && monitor != "loss")
    return user_error(fmt::format("--monitor is {}, expected accuracy or loss", plimsoll::in_quotes(monitor)));
  setup.monitor = monitor == "loss" ? Monitor::loss : Monitor::accuracy;
  if (!on_nan.empty() && !one_of(on_nan, {"stop", "skip", "reload"}))
    return user_error(fmt::format("--on-nan is {}, expected stop, skip or reload", plimsoll::in_quotes(on_nan)));
  setup.on_nan = on_nan == "skip" ? OnNan::skip : on_nan == "reload" ? OnNan::reload : OnNan::stop;
  return {};
}

}  // namespace plimsoll
