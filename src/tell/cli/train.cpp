// plimsoll train: trains a network on data, on exactly the plan that it shows first.
#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <new>

#include "base/text.h"
#include "model/onnx/import.h"
#include "plan/devices/this_device.h"
#include "run/dist/agreement.h"
#include "run/train/checkpoint.h"
#include "run/train/initialise.h"
#include "run/train/interruption.h"
#include "run/train/norm_renewal.h"
#include "tell/cli/command.h"
#include "tell/cli/planned_run.h"
#include "tell/cli/predicted_step.h"
#include "tell/cli/progress.h"
#include "tell/cli/resumed_run.h"
#include "tell/cli/tell_error.h"
#include "tell/cli/train_workers.h"
#include "tell/report/conv_report.h"
#include "tell/report/run_report.h"
#include "tell/report/train_report.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

std::string identity_text(const Dataset& dataset) { return fmt::format("{:016x}", dataset.info().identity); }

// Rank 0 speaks for all.
class Silent : public TrainingWatcher {
 public:
  void step_done(const StepSeen&) override {}
  void epoch_done(const EpochReport&) override {}
  void message(const std::string&) override {}
};

// One run of train, from flags to exit code. What it needs is filled in the order of the functions below.
class TrainVerb {
 public:
  explicit TrainVerb(TrainFlags flags) : flags_(std::move(flags)) {}

  Result<int> run();

 private:
  Result<int> work();
  Error out_of_memory() const;
  Status check_np();
  Status together(const Status& mine) { return worker_->communicator().together(mine); }
  bool first() { return worker_->communicator().first(); }
  int workers() { return worker_->communicator().size(); }
  Status take_over_run();
  Status agree_on(const TrainingPlan& plan);
  Status look_ahead(const TrainingPlan& plan);
  Result<int> refuse(const TrainingPlan& plan);
  Status open_run();
  Json config() const;
  Status make_executor(TrainingPlan plan);
  Status fill(Executor& executor);
  Result<int> train_and_tell();
  int exit_code(const TrainingOutcome& outcome) const;

  TrainFlags flags_;
  std::optional<Worker> worker_;
  std::optional<Result<MemoryHere>> machine_memory_;  // that its workers share
  PlannedRun run_;
  std::optional<Judge> judge_;
  std::optional<RunDirectory> directory_;
  std::optional<Checkpoint> checkpoint_;  // rank 0's
  bool resumed_ = false;
  Json config_before_;                  // of the run that goes on; rank 0's
  std::optional<Bytes> bucket_before_;  // of the run that goes on
  std::unique_ptr<Executor> executor_;
  TrainingOutlook outlook_;
  Clock::time_point start_ = Clock::now();
};

Status TrainVerb::check_np() {
  PLIM_ASSIGN(const auto np, flags_.read_np());
  if (np && started_by_mpi() && *np != workers())
    return user_error(fmt::format("--np is {}, but {} workers were started", *np, workers()),
                      "leave out --np under mpirun and srun");
  return {};
}

Status TrainVerb::take_over_run() {
  if (!flags_.resume) return {};
  PLIM_ASSIGN(ResumedRun run, resume_run(flags_, worker_->communicator()));
  resumed_ = true;
  if (run.directory) directory_.emplace(*std::move(run.directory));
  checkpoint_ = std::move(run.checkpoint);
  config_before_ = std::move(run.config);
  run_.setup.state = std::move(run.state);
  bucket_before_ = run.bucket;
  run_.memory.notes = std::move(run.notes);
  return {};
}

Status TrainVerb::agree_on(const TrainingPlan& plan) {
  if (workers() == 1) return {};
  Json mine{{"version", PLIM_VERSION},
            {"the program file", build_identity()},
            {"the seed", run_.setup.seed},
            {"the data", flags_.data.data},
            {"the data's identity", identity_text(*run_.data.train)},
            {"the batch", run_.batch},
            {"the micro-batches", run_.step.micro_batches}};
  const Json typed = flags_.typed();
  for (const auto& [name, value] : typed.items())
    if (name != "--threads" && name != "--loaders" && name != "--memory" && name != "--load-line") mine[name] = value;
  mine["the plan"] = plan_identity(*plan.step, plan.memory);
  return agree(worker_->communicator(), mine);
}

Status TrainVerb::look_ahead(const TrainingPlan& plan) {
  const int64_t steps = run_.data.train->size() / run_.step_samples();
  PLIM_ASSIGN(run_.setup.schedule, flags_.read_schedule(steps, workers()));
  TrainingOutlook& o = outlook_;
  o.model = flags_.model;
  o.data = flags_.data.data;
  o.optimizer = run_.step.optimizer->name;
  o.schedule = flags_.schedule.empty() ? "constant" : flags_.schedule;
  o.backend = run_.backend->name();
  o.train_samples = run_.data.train->size();
  o.validation_samples = run_.data.validation ? run_.data.validation->size() : 0;
  o.test_samples = run_.data.test ? run_.data.test->size() : 0;
  o.classes = run_.data.train->info().type.classes;
  o.batch = run_.batch;
  o.micro_batches = run_.step.micro_batches;
  o.epochs = run_.setup.epochs;
  o.steps_per_epoch = steps;
  o.threads = run_.engine.threads;
  o.loaders = run_.loaders;
  o.learning_rate = run_.setup.schedule.base;
  o.seed = run_.setup.seed;
  for (const auto& value : plan.step->program.values)
    if (value.role == Role::parameter && value.type && !value.storage.present())
      o.parameters += value.type->elements().value();
  o.planned = plan.memory.peak();
  o.memory = run_.memory.bytes;
  o.load_line = run_.load_line;
  o.line = run_.line;
  o.checkpoints = checkpoint_bytes(plan.step->program, CheckpointKind::last) * 2;
  if (run_.setup.keeps_best()) o.checkpoints += checkpoint_bytes(plan.step->program, CheckpointKind::best) * 2;
  o.by_reference = plan.step->by_reference;
  o.reorders = plan.step->reorders;
  o.conv_methods = plan.step->conv_methods();
  o.notes = run_.memory.notes;
  if (o.micro_batches > 1 && run_.step.batch_norm.over == BatchNormOver::batch &&
      NormRenewal(plan.step->program).has_norms())
    o.notes.push_back(fmt::format(
        "Batch norms take statistics from each micro-batch of {} by itself, which is ghost batch norm: other "
        "maths than that of one batch of {}.",
        with_commas(run_.batch), with_commas(run_.batch * o.micro_batches)));
  o.resumed = resumed_;
  o.workers = workers();
  o.wire = run_.setup.crew.exchange.wire;
  o.first_step = run_.setup.state.step;
  if (const auto time = predicted_step(plan.step->program, run_.engine))
    o.predicted_step = {time->total.value * worker_->cores().turns};
  return {};
}

Result<int> TrainVerb::refuse(const TrainingPlan& plan) {
  TrainingRefusal refusal;
  refusal.breaking = first_over(plan.step->program, plan.memory, run_.line);
  if (run_.batch > 1) {
    PLIM_ASSIGN(refusal.largest_batch, run_.largest_batch(run_.batch - 1));
  }
  fmt::print(stderr, "plimsoll: {}\n", refusal_text(outlook_, refusal));
  if (flags_.json) fmt::print("{}", json_text(refusal_json(outlook_, refusal)));
  return int(kExitNo);
}

Json TrainVerb::config() const {
  const DatasetInfo& info = run_.data.train->info();
  return {{"schema", "plimsoll.run/1"},
          {"version", PLIM_VERSION},
          {"model", flags_.model},
          {"flags", flags_.typed()},
          {"batch", run_.batch},
          {"micro_batches", run_.step.micro_batches},
          {"workers", outlook_.workers},
          {"bucket_bytes", run_.setup.crew.exchange.bucket.value()},
          {"threads", run_.engine.threads},
          {"conv_methods", conv_json(outlook_.conv_methods)},
          {"backend", run_.backend->name()},
          {"input", info.type.input.shape.dims()},
          {"input_dtype", name_of(info.type.input.dtype)},
          {"classes", info.type.classes},
          {"class_names", info.class_names},
          {"mean", run_.data.statistics.mean},
          {"deviation", run_.data.statistics.deviation},
          {"data",
           {{"name", flags_.data.data},
            {"identity", identity_text(*run_.data.train)},
            {"samples", run_.data.train->size()}}},
          {"planned_bytes", outlook_.planned.value()}};
}

Status TrainVerb::open_run() {
  if (!first()) return {};
  if (!directory_) {
    const std::string stem = flags_.model.substr(flags_.model.rfind('/') + 1);
    PLIM_ASSIGN(RunDirectory directory, RunDirectory::create(flags_.run_dir, stem));
    directory_.emplace(std::move(directory));
  }
  run_.setup.directory = &*directory_;
  run_.setup.config = config();
  outlook_.run_dir = directory_->path();
  outlook_.disk_free = free_space(directory_->path());
  if (outlook_.disk_free && *outlook_.disk_free < outlook_.checkpoints)
    outlook_.notes.emplace_back("The disk has too little room for the checkpoints.");
  if (!resumed_) PLIM_TRY(directory_->write_config(run_.setup.config));
  // Not before there is something to go on with: a worker that is lost from here on is restarted with --resume.
  if (worker_->pulse()) worker_->pulse()->run_directory(directory_->path());
  if (!resumed_) return {};
  const Json& before = config_before_;
  const auto data = before.find("data");
  if (data != before.end() && data->is_object() && data->value("identity", Json()) != identity_text(*run_.data.train))
    return user_error("the data is not what the run was begun with: its identity differs",
                      "put the same files back, or begin another run")
        .in(printable(flags_.data.data, 200));
  if (before.value("batch", Json()) != run_.batch && before.value("workers", Json(1)) == workers())
    return user_error(fmt::format("the batch is {}, but the run was begun with another", run_.batch), "give --batch");
  if (before.value("threads", Json()) != run_.engine.threads)
    outlook_.notes.emplace_back("The number of threads differs, so numbers may differ in their last digits.");
  if (before.value("conv_methods", run_.setup.config["conv_methods"]) != run_.setup.config["conv_methods"])
    outlook_.notes.emplace_back(
        "Convolutions are computed in other ways than before, so numbers may differ in their last digits.");
  return {};
}

Status TrainVerb::fill(Executor& executor) {
  if (checkpoint_) return load_tensors(*checkpoint_, executor);
  initialise(executor, run_.setup.seed);
  if (!is_file_name(flags_.model)) return {};
  PLIM_ASSIGN(const ImportedNetwork imported, import_onnx_with_weights(flags_.model));
  PLIM_ASSIGN(const int64_t loaded, load_weights(executor, *imported.weights));
  outlook_.notes.push_back(fmt::format("{} tensors start as the file has them.", with_commas(loaded)));
  return {};
}

Status TrainVerb::make_executor(TrainingPlan plan) {
  PLIM_ASSIGN(const Program forward, run_.network->forward(run_.batch, run_.format));
  PLIM_ASSIGN(const Program inference, make_step(forward, {.parameters = Parameters::shared}));
  PLIM_ASSIGN(const Program step, make_step(forward, run_.step));
  PLIM_ASSIGN(Judge judge, Judge::make(step, inference, run_.data.train->info().type.classes));
  judge_.emplace(std::move(judge));
  malloc_trim(0);  // what opening the data took for a moment is not part of the plan
  PLIM_ASSIGN(executor_, run_.backend->compile(std::move(plan.step), std::move(plan.memory)));
  if (first()) PLIM_TRY(fill(*executor_));
  run_.setup.step = executor_.get();
  run_.setup.judge = &*judge_;
  run_.setup.inference = [this, inference] { return run_.backend->compile_beside(inference, *executor_); };
  // Made once before the first step, so that what is wrong with it is told now.
  PLIM_ASSIGN(const auto evaluation, run_.setup.inference());
  outlook_.evaluation_by_reference = evaluation->lowered().by_reference;
  run_.setup.train = run_.data.train;
  run_.setup.validation = run_.data.validation;
  run_.setup.test = run_.data.test;
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
    const Interruption interruption(workers() > 1);
    std::unique_ptr<TrainingWatcher> watcher;
    if (first()) watcher = std::make_unique<Progress>(flags_.quiet, run_.line);
    else watcher = std::make_unique<Silent>();
    auto outcome = train(run_.setup, *watcher);
    if (!outcome.ok() && workers() > 1) worker_->fail(outcome.error());
    PLIM_ASSIGN(result.outcome, std::move(outcome));
  }
  for (const auto& peak : worker_->communicator().gather(std::to_string(resident_peak().value())))
    result.peaks.emplace_back(std::stoll(peak));
  if (!first()) return exit_code(result.outcome);
  result.seconds = {std::chrono::duration<double>(Clock::now() - start_).count()};
  result.report = directory_->file(kReportFile);
  const Status reported = write_run_report(*directory_, outlook_, result);
  if (!reported.ok()) {
    fmt::print(stderr, "plimsoll: no report: {}\n", reported.error().line());
    result.report.clear();
  }
  if (result.outcome.end == TrainingEnd::not_finite) fmt::print(stderr, "plimsoll: {}\n", result.outcome.why);
  fmt::print("{}", flags_.json ? json_text(result_json(outlook_, result)) : result_text(outlook_, result));
  std::fflush(stdout);
  return exit_code(result.outcome);
}

// Whatever can go wrong before the first step is told to all: they begin together or not at all.
Result<int> TrainVerb::work() {
  PLIM_TRY(together(check_np()));
  PLIM_TRY(take_over_run());
  PLIM_TRY(together(run_.read_flags(*machine_memory_)));
  PLIM_TRY(together(run_.open_data()));
  run_.choose_bucket(bucket_before_);
  PLIM_TRY(together(run_.choose_batch()));
  PLIM_TRY(together(run_.check_batch()));
  auto planned = run_.plan_at(run_.batch);
  PLIM_TRY(together(planned.ok() ? Status() : Status(planned.error())));
  TrainingPlan plan = *std::move(planned);
  PLIM_TRY(together(run_.stay_under_line(plan)));
  PLIM_TRY(together(look_ahead(plan)));
  PLIM_TRY(agree_on(plan));
  // Machines differ: when it is too much for one, nobody begins.
  const auto fits = worker_->communicator().gather(plan.memory.peak() > run_.line ? "no" : "yes");
  if (std::find(fits.begin(), fits.end(), "no") != fits.end()) return first() ? refuse(plan) : int(kExitNo);
  PLIM_TRY(together(open_run()));
  const auto made = [&]() -> Status {
    try {
      return make_executor(std::move(plan));
    } catch (const std::bad_alloc&) {
      return out_of_memory();
    }
  }();
  PLIM_TRY(together(made));
  if (first() && !flags_.quiet) fmt::print(stderr, "{}", outlook_text(outlook_));
  try {
    return train_and_tell();
  } catch (const std::bad_alloc&) {
    if (workers() > 1) worker_->fail(out_of_memory());
    return out_of_memory();
  }
}

Error TrainVerb::out_of_memory() const {
  return environment_error(
      fmt::format("out of memory: needed {}, limit {}", human_bytes(outlook_.planned), human_bytes(run_.memory.bytes)),
      "--batch auto takes the largest batch that fits; --memory says how much there is");
}

Result<int> TrainVerb::run() {
  PLIM_ASSIGN(const Seconds silence, flags_.read_silence());
  machine_memory_ = memory_here(flags_.memory);  // before cores are shared: what that leaves is no limit of the machine
  const auto stop = [](bool interrupted) {
    Interruption::ask(interrupted ? StopAsked::interrupted : StopAsked::terminated);
  };
  const auto lost = [](const std::string& line) { fmt::print(stderr, "plimsoll: {}\n", line); };
  PLIM_ASSIGN(Worker worker, Worker::join(silence, {stop, lost}));
  worker_.emplace(std::move(worker));
  run_.flags = &flags_;
  run_.worker = &*worker_;
  const Result<int> result = work();
  // Rank 0 says why before anybody leaves: mpirun ends all with the first process that fails.
  if (!result.ok() && first()) tell_error(result.error(), flags_.json);
  return worker_->leave(result.ok() ? *result : exit_code_of(result.error()));
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
      "  plimsoll train lenet5 --data mnist --batch 64 --micro-batches 16  (1,024 samples a step; its noise scale)\n"
      "  plimsoll train resnet18 --input 3x32x32 --classes 10 --data cifar10 --batch 32 -np 4 --max-restarts 3\n"
      "Exit codes: 0 trained, 1 the batch does not fit or the loss is not a number, 2 a mistake in flags or files,\n"
      "4 the machine failed, 75 told to stop (SIGTERM), saved, 130 interrupted (Ctrl-C), saved.");
  flags->declare(app);
  return [flags]() -> Result<int> {
    PLIM_ASSIGN(const auto code, start_workers(*flags));
    if (code) return *code;
    return TrainVerb(*flags).run();
  };
}

}  // namespace plimsoll
