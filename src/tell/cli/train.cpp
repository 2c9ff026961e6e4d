// plimsoll train: trains a network on data, on exactly the plan that it shows first.
#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <new>

#include "base/text.h"
#include "model/onnx/import.h"
#include "plan/devices/this_device.h"
#include "plan/verdict/load_curve.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/place.h"
#include "run/data/network_input.h"
#include "run/train/checkpoint.h"
#include "run/train/initialise.h"
#include "run/train/interruption.h"
#include "run/train/training_plan.h"
#include "tell/cli/command.h"
#include "tell/cli/direct_instead.h"
#include "tell/cli/memory_here.h"
#include "tell/cli/predicted_step.h"
#include "tell/cli/progress.h"
#include "tell/cli/train_flags.h"
#include "tell/report/conv_report.h"
#include "tell/report/run_report.h"
#include "tell/report/train_report.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

// One run of train, from flags to exit code. What it needs is filled in the order of the functions below.
class TrainVerb {
 public:
  explicit TrainVerb(TrainFlags flags) : flags_(std::move(flags)) {}

  Result<int> run();

 private:
  Status take_over_run();
  Status read_flags();
  Status open_data();
  Result<TrainingPlan> plan_at(int64_t batch) const;
  Result<int64_t> largest_batch(int64_t most) const;
  Status choose_batch();
  Status stay_under_line(TrainingPlan& plan);
  Status look_ahead(const TrainingPlan& plan);
  Result<int> refuse(const TrainingPlan& plan);
  Status open_run();
  Json config() const;
  Status make_executor(TrainingPlan plan);
  Status fill(Executor& executor);
  Result<int> train_and_tell();
  int exit_code(const TrainingOutcome& outcome) const;

  TrainFlags flags_;
  const Backend* backend_ = nullptr;
  EngineOptions engine_{1};
  int loaders_ = 0;
  StepOptions step_options_;
  MemoryHere memory_;
  double load_line_ = 0;
  Bytes line_;
  std::optional<Network> network_;
  NumberFormat format_;
  PreparedData data_;
  int64_t batch_ = 1;
  std::optional<Judge> judge_;
  std::optional<RunDirectory> directory_;
  std::optional<Checkpoint> checkpoint_;
  std::unique_ptr<Executor> executor_;
  TrainerSetup setup_;
  TrainingOutlook outlook_;
  Clock::time_point start_ = Clock::now();
};

Status TrainVerb::take_over_run() {
  if (!flags_.resume) return {};
  if (flags_.run_dir.empty()) return user_error("--resume does not say which run", "name its folder with --run-dir");
  PLIM_ASSIGN(RunDirectory directory, RunDirectory::reopen(flags_.run_dir));
  directory_.emplace(std::move(directory));
  PLIM_ASSIGN(const Json config, read_config(flags_.run_dir));
  if (const auto typed = config.find("flags"); typed != config.end() && typed->is_object())
    PLIM_TRY(flags_.take_over(*typed));
  PLIM_ASSIGN(checkpoint_, read_checkpoint(flags_.run_dir, CheckpointKind::last));
  if (!checkpoint_)
    return user_error("has no checkpoint to go on from: it was stopped before the first", "begin it anew")
        .in(printable(flags_.run_dir, 200));
  setup_.state = checkpoint_->state;
  return {};
}

Status TrainVerb::read_flags() {
  if (flags_.model.empty())
    return user_error("no MODEL is given", "for example train lenet5 --data fashion-mnist --epochs 3");
  PLIM_ASSIGN(backend_, flags_.read_backend());
  PLIM_ASSIGN(engine_, flags_.engine.read());
  PLIM_ASSIGN(loaders_, flags_.data.read_loaders());
  PLIM_ASSIGN(step_options_, flags_.read_step());
  PLIM_ASSIGN(load_line_, flags_.read_load_line());
  PLIM_ASSIGN(memory_, memory_here(flags_.memory));
  line_ = bytes_under_line(memory_.bytes, load_line_);
  PLIM_TRY(flags_.read_trainer(setup_));
  PLIM_TRY(flags_.read_schedule(1));  // mistakes are told before anything is opened
  if (!flags_.auto_batch()) PLIM_TRY(flags_.read_batch());
  PLIM_ASSIGN(format_, flags_.network.read_format());
  if (format_.name != "f32")
    return user_error(fmt::format("--dtype is {}, expected f32: training here is in f32", format_.name));
  PLIM_ASSIGN(Network network, load_network(flags_.model, flags_.network));
  network_.emplace(std::move(network));
  return {};
}

Status TrainVerb::open_data() {
  PLIM_ASSIGN(const Program forward, network_->forward(std::nullopt, format_));
  PLIM_ASSIGN(const NetworkInput input, network_input(forward));
  PLIM_ASSIGN(data_, flags_.data.open(input, setup_.seed, flags_.quiet));
  if (setup_.keeps_best() && !data_.validation)
    return user_error("--early-stop and --save-best need a validation set", "for example --validation 0.1");
  PLIM_ASSIGN(setup_.loader.bad, flags_.data.read_bad_samples());
  setup_.loader.workers = loaders_;
  return {};
}

Result<TrainingPlan> TrainVerb::plan_at(int64_t batch) const {
  PLIM_ASSIGN(Program forward, network_->forward(batch, format_));
  PLIM_ASSIGN(Program step, make_step(std::move(forward), step_options_));
  PLIM_ASSIGN(TrainingPlan plan, plan_training(*backend_, std::move(step), engine_));
  plan.memory.fixed += data_.train->info().memory;
  return plan;
}

Result<int64_t> TrainVerb::largest_batch(int64_t most) const {
  return plimsoll::largest_batch(line_, 1, most, [this](int64_t batch) -> Result<Bytes> {
    PLIM_ASSIGN(const TrainingPlan plan, plan_at(batch));
    return plan.memory.peak();
  });
}

Status TrainVerb::choose_batch() {
  if (!flags_.auto_batch()) {
    PLIM_ASSIGN(batch_, flags_.read_batch());
  } else {
    PLIM_ASSIGN(batch_, largest_batch(std::min(kMostPlacedSamples, data_.train->size())));
    batch_ = std::max<int64_t>(batch_, 1);  // does not fit either: refused like any other
  }
  if (data_.train->size() < batch_)
    return user_error(fmt::format("the training set has {} samples, fewer than a batch of {}",
                                  with_commas(data_.train->size()), with_commas(batch_)),
                      "choose a smaller --batch");
  setup_.loader.batch = batch_;
  return {};
}

// Where only direct convolutions stay under the line, they are used.
Status TrainVerb::stay_under_line(TrainingPlan& plan) {
  if (plan.memory.peak() <= line_ || engine_.conv != ConvWay::automatic) return {};
  const auto fast = predicted_step(plan.step->program, engine_);
  engine_.conv = ConvWay::direct;
  PLIM_ASSIGN(TrainingPlan direct, plan_at(batch_));
  if (direct.memory.peak() > line_) {
    engine_.conv = ConvWay::automatic;
    return {};
  }
  const auto slow = predicted_step(direct.step->program, engine_);
  const auto slowdown = fast && slow ? slowdown_of(slow->total, fast->total) : std::nullopt;
  memory_.notes.push_back(direct_instead_text(plan.memory.peak(), direct.memory.peak(), slowdown));
  plan = std::move(direct);
  return {};
}

Status TrainVerb::look_ahead(const TrainingPlan& plan) {
  const int64_t steps = data_.train->size() / batch_;
  PLIM_ASSIGN(setup_.schedule, flags_.read_schedule(steps));
  TrainingOutlook& o = outlook_;
  o.model = flags_.model;
  o.data = flags_.data.data;
  o.optimizer = step_options_.optimizer->name;
  o.schedule = flags_.schedule.empty() ? "constant" : flags_.schedule;
  o.backend = backend_->name();
  o.train_samples = data_.train->size();
  o.validation_samples = data_.validation ? data_.validation->size() : 0;
  o.test_samples = data_.test ? data_.test->size() : 0;
  o.classes = data_.train->info().type.classes;
  o.batch = batch_;
  o.epochs = setup_.epochs;
  o.steps_per_epoch = steps;
  o.threads = engine_.threads;
  o.loaders = loaders_;
  o.learning_rate = setup_.schedule.base;
  o.seed = setup_.seed;
  for (const auto& value : plan.step->program.values)
    if (value.role == Role::parameter && value.type && !value.storage.present())
      o.parameters += value.type->elements().value();
  o.planned = plan.memory.peak();
  o.memory = memory_.bytes;
  o.load_line = load_line_;
  o.line = line_;
  o.checkpoints = checkpoint_bytes(plan.step->program, CheckpointKind::last) * 2;
  if (setup_.keeps_best()) o.checkpoints += checkpoint_bytes(plan.step->program, CheckpointKind::best) * 2;
  o.by_reference = plan.step->by_reference;
  o.reorders = plan.step->reorders;
  o.conv_methods = plan.step->conv_methods();
  o.notes = memory_.notes;
  o.resumed = checkpoint_.has_value();
  o.first_step = setup_.state.step;
  if (const auto time = predicted_step(plan.step->program, engine_)) o.predicted_step = time->total;
  return {};
}

Result<int> TrainVerb::refuse(const TrainingPlan& plan) {
  TrainingRefusal refusal;
  refusal.breaking = first_over(plan.step->program, plan.memory, line_);
  if (batch_ > 1) {
    PLIM_ASSIGN(refusal.largest_batch, largest_batch(batch_ - 1));
  }
  fmt::print(stderr, "plimsoll: {}\n", refusal_text(outlook_, refusal));
  if (flags_.json) fmt::print("{}", json_text(refusal_json(outlook_, refusal)));
  return int(kExitNo);
}

std::string identity_text(const Dataset& dataset) { return fmt::format("{:016x}", dataset.info().identity); }

Json TrainVerb::config() const {
  const DatasetInfo& info = data_.train->info();
  return {{"schema", "plimsoll.run/1"},
          {"version", PLIM_VERSION},
          {"model", flags_.model},
          {"flags", flags_.typed()},
          {"batch", batch_},
          {"threads", engine_.threads},
          {"conv_methods", conv_json(outlook_.conv_methods)},
          {"backend", backend_->name()},
          {"input", info.type.input.shape.dims()},
          {"input_dtype", name_of(info.type.input.dtype)},
          {"classes", info.type.classes},
          {"class_names", info.class_names},
          {"mean", data_.statistics.mean},
          {"deviation", data_.statistics.deviation},
          {"data",
           {{"name", flags_.data.data}, {"identity", identity_text(*data_.train)}, {"samples", data_.train->size()}}},
          {"planned_bytes", outlook_.planned.value()}};
}

Status TrainVerb::open_run() {
  if (!directory_) {
    const std::string stem = flags_.model.substr(flags_.model.rfind('/') + 1);
    PLIM_ASSIGN(RunDirectory directory, RunDirectory::create(flags_.run_dir, stem));
    directory_.emplace(std::move(directory));
  }
  setup_.directory = &*directory_;
  setup_.config = config();
  outlook_.run_dir = directory_->path();
  outlook_.disk_free = free_space(directory_->path());
  if (outlook_.disk_free && *outlook_.disk_free < outlook_.checkpoints)
    outlook_.notes.push_back("The disk has too little room for the checkpoints.");
  if (!checkpoint_) return directory_->write_config(setup_.config);
  const Json& before = checkpoint_->config;
  const auto data = before.find("data");
  if (data != before.end() && data->is_object() && data->value("identity", Json()) != identity_text(*data_.train))
    return user_error("the data is not what the run was begun with: its identity differs",
                      "put the same files back, or begin another run")
        .in(printable(flags_.data.data, 200));
  if (before.value("batch", Json()) != batch_)
    return user_error(fmt::format("the batch is {}, but the run was begun with another", batch_), "give --batch");
  if (before.value("threads", Json()) != engine_.threads)
    outlook_.notes.push_back("The number of threads differs, so numbers may differ in their last digits.");
  if (before.value("conv_methods", setup_.config["conv_methods"]) != setup_.config["conv_methods"])
    outlook_.notes.push_back(
        "Convolutions are computed in other ways than before, so numbers may differ in their last digits.");
  return {};
}

Status TrainVerb::fill(Executor& executor) {
  if (checkpoint_) return load_tensors(*checkpoint_, executor);
  initialise(executor, setup_.seed);
  if (!is_file_name(flags_.model)) return {};
  PLIM_ASSIGN(const ImportedNetwork imported, import_onnx_with_weights(flags_.model));
  PLIM_ASSIGN(const int64_t loaded, load_weights(executor, *imported.weights));
  outlook_.notes.push_back(fmt::format("{} tensors start as the file has them.", with_commas(loaded)));
  return {};
}

Status TrainVerb::make_executor(TrainingPlan plan) {
  PLIM_ASSIGN(const Program forward, network_->forward(batch_, format_));
  PLIM_ASSIGN(const Program inference, make_step(forward, {.parameters = Parameters::shared}));
  PLIM_ASSIGN(const Program step, make_step(forward, step_options_));
  PLIM_ASSIGN(Judge judge, Judge::make(step, inference, data_.train->info().type.classes));
  judge_.emplace(std::move(judge));
  malloc_trim(0);  // what opening the data took for a moment is not part of the plan
  PLIM_ASSIGN(executor_, backend_->compile(std::move(plan.step), std::move(plan.memory)));
  PLIM_TRY(fill(*executor_));
  setup_.step = executor_.get();
  setup_.judge = &*judge_;
  setup_.inference = [this, inference] { return backend_->compile_beside(inference, *executor_); };
  // Made once before the first step, so that what is wrong with it is told now.
  PLIM_ASSIGN(const auto evaluation, setup_.inference());
  outlook_.evaluation_by_reference = evaluation->lowered().by_reference;
  setup_.train = data_.train;
  setup_.validation = data_.validation;
  setup_.test = data_.test;
  return {};
}

int TrainVerb::exit_code(const TrainingOutcome& outcome) const {
  if (!outcome.saved) return kExitEnvironment;
  switch (outcome.end) {
    case TrainingEnd::interrupted: return kExitInterrupted;
    case TrainingEnd::terminated: return kExitTerminated;
    case TrainingEnd::not_finite: return kExitNo;
    default: return kExitDone;
  }
}

Result<int> TrainVerb::train_and_tell() {
  TrainingResult result;
  {
    const Interruption interruption;
    Progress progress(flags_.quiet, line_);
    PLIM_ASSIGN(result.outcome, train(setup_, progress));
  }
  result.peak = resident_peak();
  result.seconds = {std::chrono::duration<double>(Clock::now() - start_).count()};
  result.report = directory_->file(kReportFile);
  const Status reported = write_run_report(*directory_, outlook_, result);
  if (!reported.ok()) {
    fmt::print(stderr, "plimsoll: no report: {}\n", reported.error().line());
    result.report.clear();
  }
  if (result.outcome.end == TrainingEnd::not_finite) fmt::print(stderr, "plimsoll: {}\n", result.outcome.why);
  fmt::print("{}", flags_.json ? json_text(result_json(outlook_, result)) : result_text(outlook_, result));
  return exit_code(result.outcome);
}

Result<int> TrainVerb::run() {
  PLIM_TRY(take_over_run());
  PLIM_TRY(read_flags());
  PLIM_TRY(open_data());
  PLIM_TRY(choose_batch());
  PLIM_ASSIGN(TrainingPlan plan, plan_at(batch_));
  PLIM_TRY(stay_under_line(plan));
  PLIM_TRY(look_ahead(plan));
  if (plan.memory.peak() > line_) return refuse(plan);
  PLIM_TRY(open_run());
  try {
    PLIM_TRY(make_executor(std::move(plan)));
    if (!flags_.quiet) fmt::print(stderr, "{}", outlook_text(outlook_));
    return train_and_tell();
  } catch (const std::bad_alloc&) {
    return environment_error(
        fmt::format("out of memory: needed {}, limit {}", human_bytes(outlook_.planned), human_bytes(memory_.bytes)),
        "--batch auto takes the largest batch that fits; --memory says how much there is");
  }
}

}  // namespace

Action declare_train(CLI::App& app) {
  const auto flags = std::make_shared<TrainFlags>();
  app.description(
      "Trains a network on data, in exactly the memory that it plans first, and keeps the run in a folder: settings,\n"
      "log, TensorBoard events, checkpoints (best and last) and a report. Ctrl-C finishes the step and saves; "
      "--resume\n"
      "goes on bit by bit where it stopped.");
  app.footer(
      "Examples:\n"
      "  plimsoll train fmnist_cnn --data fashion-mnist --epochs 3 --batch 128 --optimizer adam\n"
      "  plimsoll train resnet18 --input 3x32x32 --classes 10 --data cifar10 --epochs 30 --batch 128 --lr 0.1 \\\n"
      "      --schedule cosine --warmup 1epoch --weight-decay 5e-4 --augment flip,shift:4 --save-best\n"
      "  plimsoll train --resume --run-dir runs/resnet18-1\n"
      "Exit codes: 0 trained, 1 the batch does not fit or the loss is not a number, 2 a mistake in flags or files,\n"
      "4 the machine failed, 75 told to stop (SIGTERM), saved, 130 interrupted (Ctrl-C), saved.");
  flags->declare(app);
  return [flags] { return TrainVerb(*flags).run(); };
}

}  // namespace plimsoll
