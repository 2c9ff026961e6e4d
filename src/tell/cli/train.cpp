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
#include "run/dist/agreement.h"
#include "run/dist/link_speed.h"
#include "run/dist/worker.h"
#include "run/train/checkpoint.h"
#include "run/train/initialise.h"
#include "run/train/interruption.h"
#include "run/train/training_plan.h"
#include "tell/cli/command.h"
#include "tell/cli/direct_instead.h"
#include "tell/cli/memory_here.h"
#include "tell/cli/predicted_step.h"
#include "tell/cli/progress.h"
#include "tell/cli/resumed_run.h"
#include "tell/cli/train_flags.h"
#include "tell/cli/train_workers.h"
#include "tell/report/conv_report.h"
#include "tell/report/run_report.h"
#include "tell/report/train_report.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Bytes kMpiMemory{20 << 20};  // that MPI takes in a worker, as measured

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
  Status read_flags();
  Status open_data();
  Result<TrainingPlan> plan_at(int64_t batch) const;
  Result<int64_t> largest_batch(int64_t most) const;
  Status choose_batch();
  Status check_batch();
  void choose_bucket();
  Status agree_on(const TrainingPlan& plan);
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
  std::optional<Worker> worker_;
  std::optional<Result<MemoryHere>> machine_memory_;  // that its workers share
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
  std::optional<Checkpoint> checkpoint_;  // rank 0's
  bool resumed_ = false;
  std::optional<Bytes> bucket_before_;  // of the run that goes on
  std::unique_ptr<Executor> executor_;
  TrainerSetup setup_;
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
  setup_.state = std::move(run.state);
  bucket_before_ = run.bucket;
  memory_.notes = std::move(run.notes);
  return {};
}

Status TrainVerb::read_flags() {
  if (flags_.model.empty())
    return user_error("no MODEL is given", "for example train lenet5 --data fashion-mnist --epochs 3");
  PLIM_ASSIGN(backend_, flags_.read_backend());
  PLIM_ASSIGN(engine_, flags_.engine.read());
  PLIM_ASSIGN(loaders_, flags_.data.read_loaders());
  if (const int share = worker_->cores().threads; share > 0) {  // of several workers here
    if (flags_.engine.threads.empty()) engine_.threads = share;
    if (flags_.data.loaders.empty()) loaders_ = std::min(loaders_, share);
  }
  PLIM_ASSIGN(step_options_, flags_.read_step());
  PLIM_ASSIGN(step_options_.batch_norm, flags_.read_batch_norm(workers()));
  PLIM_ASSIGN(load_line_, flags_.read_load_line());
  PLIM_ASSIGN(const MemoryHere memory, *machine_memory_);
  memory_.bytes = Bytes(memory.bytes.value() / worker_->cores().local_workers);
  memory_.notes.insert(memory_.notes.end(), memory.notes.begin(), memory.notes.end());
  if (!worker_->cores().note.empty()) memory_.notes.push_back(worker_->cores().note);
  line_ = bytes_under_line(memory_.bytes, load_line_);
  PLIM_TRY(flags_.read_trainer(setup_));
  PLIM_ASSIGN(setup_.crew.exchange.wire, flags_.read_wire());
  if (workers() == 1 && !flags_.wire.empty())
    memory_.notes.push_back("One worker sends no gradients: --wire changes nothing.");
  PLIM_TRY(flags_.read_schedule(1, workers()));  // mistakes are told before anything is opened
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
  if (const auto& crew = setup_.crew; crew.communicator)
    plan.memory.fixed += kMpiMemory + exchange_memory(make_buckets(*plan.step, plan.memory, crew.exchange.bucket),
                                                      crew.exchange, crew.communicator->size());
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
  return {};
}

// All take the same: the smallest, where each machine was asked what fits.
Status TrainVerb::check_batch() {
  for (const auto& other : worker_->communicator().gather(std::to_string(batch_)))
    if (flags_.auto_batch()) batch_ = std::min<int64_t>(batch_, std::stoll(other));
  if (data_.train->size() < batch_ * workers())
    return user_error(
        fmt::format("the training set has {} samples, fewer than {} of {}", with_commas(data_.train->size()),
                    workers() == 1 ? "a batch" : fmt::format("a batch for each of {} workers,", workers()),
                    with_commas(batch_)),
        "choose a smaller --batch");
  setup_.loader.batch = batch_;
  return {};
}

// A run that goes on keeps the size that was measured when it began: sums in other pieces have other last digits.
void TrainVerb::choose_bucket() {
  setup_.crew.pulse = worker_->pulse();
  if (workers() == 1) return;
  setup_.crew.communicator = &worker_->communicator();
  ExchangeForm& form = setup_.crew.exchange;
  form.bucket = bucket_before_ ? *bucket_before_ : bucket_size(measure_link(worker_->communicator()), form.wire);
}

Status TrainVerb::agree_on(const TrainingPlan& plan) {
  if (workers() == 1) return {};
  Json mine{{"version", PLIM_VERSION},
            {"the program file", build_identity()},
            {"the seed", setup_.seed},
            {"the data", flags_.data.data},
            {"the data's identity", identity_text(*data_.train)},
            {"the batch", batch_}};
  const Json typed = flags_.typed();
  for (const auto& [name, value] : typed.items())
    if (name != "--threads" && name != "--loaders" && name != "--memory" && name != "--load-line") mine[name] = value;
  mine["the plan"] = plan_identity(*plan.step, plan.memory);
  return agree(worker_->communicator(), mine);
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
  const int64_t steps = data_.train->size() / (batch_ * workers());
  PLIM_ASSIGN(setup_.schedule, flags_.read_schedule(steps, workers()));
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
  o.resumed = resumed_;
  o.workers = workers();
  o.wire = setup_.crew.exchange.wire;
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

Json TrainVerb::config() const {
  const DatasetInfo& info = data_.train->info();
  return {{"schema", "plimsoll.run/1"},
          {"version", PLIM_VERSION},
          {"model", flags_.model},
          {"flags", flags_.typed()},
          {"batch", batch_},
          {"workers", outlook_.workers},
          {"bucket_bytes", setup_.crew.exchange.bucket.value()},
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
  if (!first()) return {};
  if (!directory_) {
    const std::string stem = flags_.model.substr(flags_.model.rfind('/') + 1);
    PLIM_ASSIGN(RunDirectory directory, RunDirectory::create(flags_.run_dir, stem));
    directory_.emplace(std::move(directory));
  }
  setup_.directory = &*directory_;
  setup_.config = config();
  outlook_.run_dir = directory_->path();
  if (worker_->pulse()) worker_->pulse()->run_directory(directory_->path());
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
  if (before.value("batch", Json()) != batch_ && before.value("workers", Json(1)) == workers())
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
  if (first()) PLIM_TRY(fill(*executor_));
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
    const Interruption interruption(workers() > 1);
    std::unique_ptr<TrainingWatcher> watcher;
    if (first()) watcher = std::make_unique<Progress>(flags_.quiet, line_);
    else watcher = std::make_unique<Silent>();
    auto outcome = train(setup_, *watcher);
    if (!outcome.ok() && workers() > 1) worker_->fail(outcome.error());
    PLIM_ASSIGN(result.outcome, std::move(outcome));
  }
  if (!first()) return exit_code(result.outcome);
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
  std::fflush(stdout);
  return exit_code(result.outcome);
}

// Whatever can go wrong before the first step is told to all: they begin together or not at all.
Result<int> TrainVerb::work() {
  PLIM_TRY(together(check_np()));
  PLIM_TRY(take_over_run());
  PLIM_TRY(together(read_flags()));
  PLIM_TRY(together(open_data()));
  choose_bucket();
  PLIM_TRY(together(choose_batch()));
  PLIM_TRY(together(check_batch()));
  auto planned = plan_at(batch_);
  PLIM_TRY(together(planned.ok() ? Status() : Status(planned.error())));
  TrainingPlan plan = *std::move(planned);
  PLIM_TRY(together(stay_under_line(plan)));
  PLIM_TRY(together(look_ahead(plan)));
  PLIM_TRY(agree_on(plan));
  // Machines differ: when it is too much for one, nobody begins.
  const auto fits = worker_->communicator().gather(plan.memory.peak() > line_ ? "no" : "yes");
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
      fmt::format("out of memory: needed {}, limit {}", human_bytes(outlook_.planned), human_bytes(memory_.bytes)),
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
  Result<int> result = work();
  const int code = result.ok() ? *result : result.error().kind == ErrorKind::environment ? kExitEnvironment : kExitUser;
  const int left = worker_->leave(code);
  if (result.ok() || !first()) return left;
  return result;
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
