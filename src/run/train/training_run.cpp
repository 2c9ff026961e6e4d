#include "run/train/training_run.h"

#include <malloc.h>

#include <chrono>
#include <new>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "base/write_file.h"
#include "run/data/text/tokenizer_file.h"
#include "run/dist/agreement.h"
#include "run/train/checkpoint.h"
#include "run/train/initialise.h"
#include "run/train/interruption.h"
#include "run/train/kept_request.h"
#include "run/train/norm_renewal.h"
#include "run/train/planned_run.h"
#include "run/train/predicted_step.h"
#include "run/train/resumed_run.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

std::string identity_text(const Dataset& dataset) { return fmt::format("{:016x}", dataset.info().identity); }

// How many convolutions are computed how.
Json methods_json(const std::map<ConvMethod, int64_t>& methods) {
  Json json = Json::object();
  for (const auto& [method, count] : methods) json[std::string(name_of(method))] = count;
  return json;
}

// One says what all would.
DataLines say_to(const TrainingEvents& events, bool first) {
  return [&events, first](const std::string& line) {
    if (first) events.data_line(line);
  };
}

// Rank 0 speaks for all.
class Silent : public TrainingWatcher {
 public:
  void step_done(const StepSeen&) override {}
  void epoch_done(const EpochReport&) override {}
  void message(const std::string&) override {}
};

// One run of train, from its request to its end. What it needs is filled in the order of the functions below.
class Training {
 public:
  Training(TrainRequest request, const std::vector<std::string>& given, const TrainingEvents& events)
      : request_(std::move(request)), given_(given), events_(events) {}

  Result<int> run();

 private:
  Result<TrainingEnding> work();
  Error out_of_memory() const;
  Status check_np();
  Status together(const Status& mine) { return worker_->communicator().together(mine); }
  bool first() { return worker_->communicator().first(); }
  bool reads_texts() const { return run_.data.train->info().type.input.dtype == DType::i64; }
  int workers() { return worker_->communicator().size(); }
  Status take_over_run();
  Status agree_on(const TrainingPlan& plan);
  Status look_ahead(const TrainingPlan& plan);
  Result<TrainingEnding> refuse(const TrainingPlan& plan);
  Status open_run();
  Json config();
  Status make_executor(TrainingPlan plan);
  Status fill(Executor& executor);
  Result<TrainingEnding> train_to_the_end();

  TrainRequest request_;
  const std::vector<std::string>& given_;
  const TrainingEvents& events_;
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

Status Training::check_np() {
  const auto np = request_.np;
  if (np && started_by_mpi() && *np != workers())
    return user_error(fmt::format("{} is {}, but {} workers were started", named("np"), *np, workers()),
                      fmt::format("leave out {} under mpirun and srun", named("np")));
  return {};
}

Status Training::take_over_run() {
  if (!request_.resume) return {};
  PLIM_ASSIGN(ResumedRun run, resume_run(request_, given_, worker_->communicator()));
  resumed_ = true;
  if (run.directory) directory_.emplace(*std::move(run.directory));
  checkpoint_ = std::move(run.checkpoint);
  config_before_ = std::move(run.config);
  run_.setup.state = std::move(run.state);
  bucket_before_ = run.bucket;
  run_.memory.notes = std::move(run.notes);
  return {};
}

Status Training::agree_on(const TrainingPlan& plan) {
  if (workers() == 1) return {};
  Json mine{{"version", PLIM_VERSION},
            {"the program file", build_identity()},
            {"the seed", run_.setup.seed},
            {"the data", request_.data.data},
            {"the data's identity", identity_text(*run_.data.train)},
            {"the batch", run_.batch},
            {"the micro-batches", run_.step.micro_batches}};
  const Json agreed = agreed_request(request_);
  for (const auto& [name, value] : agreed.items()) mine[flag_named(name)] = value;
  mine["the plan"] = plan_identity(*plan.step, plan.memory);
  return agree(worker_->communicator(), mine);
}

Status Training::look_ahead(const TrainingPlan& plan) {
  const int64_t steps = run_.data.train->size() / run_.step_samples();
  PLIM_ASSIGN(run_.setup.schedule, request_.made_schedule(steps, workers()));
  TrainingOutlook& o = outlook_;
  o.model = request_.model.source.name;
  o.data = request_.data.data;
  o.optimizer = run_.step.optimizer->name;
  o.schedule = request_.schedule;
  o.backend = run_.backend->name();
  o.train_samples = run_.data.train->size();
  o.validation_samples = run_.data.validation ? run_.data.validation->size() : 0;
  o.test_samples = run_.data.test ? run_.data.test->size() : 0;
  o.classes = run_.data.train->info().type.classes;
  if (run_.data.tokenizer) o.tokens = run_.data.train->info().type.input.shape[0] - 1;
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
  o.declined = grouped(plan.step->program, plan.step->declined);
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

Result<TrainingEnding> Training::refuse(const TrainingPlan& plan) {
  TrainingEnding ending;
  TrainingRefusal& refusal = ending.refusal.emplace();
  refusal.breaking = first_over(plan.step->program, plan.memory, run_.line);
  if (run_.batch > 1) {
    PLIM_ASSIGN(refusal.largest_batch, run_.largest_batch(run_.batch - 1));
  }
  ending.outlook = outlook_;
  return ending;
}

Json Training::config() {
  const DatasetInfo& info = run_.data.train->info();
  return {{"schema", "plimsoll.run/1"},
          {"version", PLIM_VERSION},
          {"model", request_.model.source.name},
          {"request", kept_request(request_)},
          {"batch", run_.batch},
          {"micro_batches", run_.step.micro_batches},
          {"workers", outlook_.workers},
          {"bucket_bytes", run_.setup.crew.exchange.bucket.value()},
          {"threads", run_.engine.threads},
          {"conv_methods", methods_json(outlook_.conv_methods)},
          {"backend", run_.backend->name()},
          {"input", info.type.input.shape.dims()},
          {"input_dtype", name_of(info.type.input.dtype)},
          {"classes", info.type.classes},
          {"class_names", info.class_names},
          {"mean", run_.data.statistics.mean},
          {"deviation", run_.data.statistics.deviation},
          {"data",
           {{"name", request_.data.data},
            {"identity", identity_text(*run_.data.train)},
            {"samples", run_.data.train->size()}}},
          {"planned_bytes", outlook_.planned.value()}};
}

Status Training::open_run() {
  if (!first()) return {};
  if (!directory_) {
    const std::string stem = request_.model.source.name.substr(request_.model.source.name.rfind('/') + 1);
    PLIM_ASSIGN(RunDirectory directory, RunDirectory::create(request_.run_dir.value_or(""), stem));
    directory_.emplace(std::move(directory));
  }
  run_.setup.directory = &*directory_;
  run_.setup.config = config();
  outlook_.run_dir = directory_->path();
  outlook_.disk_free = free_space(directory_->path());
  if (outlook_.disk_free && *outlook_.disk_free < outlook_.checkpoints)
    outlook_.notes.emplace_back("The disk has too little room for the checkpoints.");
  if (!resumed_) PLIM_TRY(directory_->write_config(run_.setup.config));
  if (!resumed_ && run_.data.tokenizer)
    PLIM_TRY(write_whole_file(directory_->file(kTokenizerFile), tokenizer_text(*run_.data.tokenizer)));
  // Not before there is something to go on with: a worker that is lost from here on is restarted with --resume.
  if (worker_->pulse()) worker_->pulse()->run_directory(directory_->path());
  if (!resumed_) return {};
  const Json& before = config_before_;
  const auto data = before.find("data");
  if (data != before.end() && data->is_object() && data->value("identity", Json()) != identity_text(*run_.data.train))
    return user_error("the data is not what the run was started with: its identity differs",
                      "put the same files back, or start another run")
        .in(printable(request_.data.data, 200));
  if (before.value("batch", Json()) != run_.batch && before.value("workers", Json(1)) == workers())
    return user_error(fmt::format("the batch is {}, but the run was started with another", run_.batch),
                      "give " + named("batch"));
  if (before.value("threads", Json()) != run_.engine.threads)
    outlook_.notes.emplace_back("The number of threads differs, so numbers may differ in their last digits.");
  if (before.value("conv_methods", run_.setup.config["conv_methods"]) != run_.setup.config["conv_methods"])
    outlook_.notes.emplace_back(
        "Convolutions are computed by other methods than before, so numbers may differ in their last digits.");
  return {};
}

Status Training::fill(Executor& executor) {
  if (checkpoint_) return load_tensors(*checkpoint_, executor);
  initialise(executor, run_.setup.seed);
  if (!run_.weights) return {};
  PLIM_ASSIGN(const int64_t loaded, load_weights(executor, *run_.weights));
  outlook_.notes.push_back(fmt::format("{} tensors start as the file has them.", with_commas(loaded)));
  return {};
}

Status Training::make_executor(TrainingPlan plan) {
  PLIM_ASSIGN(const Program inference,
              make_step(std::move(plan.forward), {.fuse = run_.step.fuse, .parameters = Parameters::shared}));
  PLIM_ASSIGN(Judge judge, Judge::make(plan.whole, inference, run_.data.train->info().type.classes));
  plan.whole = {};
  judge_.emplace(std::move(judge));
  malloc_trim(0);  // what opening the data took for a moment is not part of the plan
  PLIM_ASSIGN(executor_, run_.backend->compile(std::move(plan.step), std::move(plan.memory)));
  if (first()) PLIM_TRY(fill(*executor_));
  run_.weights.reset();
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

Result<TrainingEnding> Training::train_to_the_end() {
  TrainingEnding ending;
  TrainingResult& result = ending.result.emplace();
  {
    const Interruption interruption(workers() > 1);
    std::unique_ptr<TrainingWatcher> watcher =
        first() ? events_.watcher(run_.line, reads_texts()) : std::make_unique<Silent>();
    auto outcome = train(run_.setup, *watcher);
    if (!outcome.ok() && workers() > 1) worker_->fail(spoken_error(outcome.error(), Door::command_line));
    PLIM_ASSIGN(result.outcome, std::move(outcome));
  }
  const Bytes mine = executor_->device_memory_in_use().value_or(resident_peak());
  for (const auto& peak : worker_->communicator().gather(std::to_string(mine.value())))
    result.peaks.emplace_back(std::stoll(peak));
  ending.outlook = outlook_;
  if (!first()) return ending;
  result.seconds = {std::chrono::duration<double>(Clock::now() - start_).count()};
  result.report = directory_->file(kReportFile);
  const Status reported = events_.report(*directory_, outlook_, result);
  if (!reported.ok()) {
    events_.say("plimsoll: no report: " + reported.error().line());
    result.report.clear();
  }
  return ending;
}

// Whatever can go wrong before the first step is told to all: they begin together or not at all.
Result<TrainingEnding> Training::work() {
  PLIM_TRY(together(check_np()));
  PLIM_TRY(take_over_run());
  PLIM_TRY(together(run_.read_request(*machine_memory_)));
  PLIM_TRY(together(run_.open_data(say_to(events_, first()))));
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
  if (std::find(fits.begin(), fits.end(), "no") != fits.end()) {
    if (first()) return refuse(plan);
    return TrainingEnding{outlook_, TrainingRefusal{}, std::nullopt};
  }
  PLIM_TRY(together(open_run()));
  const auto made = [&]() -> Status {
    try {
      return make_executor(std::move(plan));
    } catch (const std::bad_alloc&) {
      return out_of_memory();
    }
  }();
  PLIM_TRY(together(made));
  if (run_.setup.crew.exchange.by_devices) {
    PLIM_ASSIGN(run_.setup.crew.sum, joined_device_sum(*executor_, worker_->communicator()));
  }
  if (first()) events_.planned(outlook_);
  const Error no_memory = spoken_error(out_of_memory(), Door::command_line);  // made while there is some
  try {
    return train_to_the_end();
  } catch (const std::bad_alloc&) {
    if (workers() > 1) worker_->fail(no_memory);
    return no_memory;
  }
}

Error Training::out_of_memory() const {
  return environment_error(
      fmt::format("out of memory: needed {}, limit {}", human_bytes(outlook_.planned), human_bytes(run_.memory.bytes)),
      fmt::format("{} auto takes the largest batch that fits; {} says how much there is", named("batch"),
                  named("memory")));
}

Result<int> Training::run() {
  machine_memory_ =
      memory_here(request_.memory);  // before cores are shared: what that leaves is no limit of the machine
  const auto stop = [](bool interrupted) {
    Interruption::ask(interrupted ? StopAsked::interrupted : StopAsked::terminated);
  };
  const auto lost = [this](const std::string& line) { events_.say("plimsoll: " + line); };
  PLIM_ASSIGN(Worker worker, Worker::join(Seconds{request_.silence}, {stop, lost}));
  worker_.emplace(std::move(worker));
  run_.request = &request_;
  run_.worker = &*worker_;
  const Result<TrainingEnding> ending = work();
  // Rank 0 says what came of it before anybody leaves: mpirun ends all with the first process that fails.
  return worker_->leave(events_.ended(ending, first()));
}

}  // namespace

Result<int> run_training(const TrainRequest& request, const std::vector<std::string>& given,
                         const TrainingEvents& events) {
  return Training(request, given, events).run();
}

}  // namespace plimsoll
