#include "run/bench/bench_request.h"

#include <algorithm>

#include "base/rows/named.h"
#include "base/write_file.h"
#include "model/passes/pipeline.h"
#include "plan/devices/this_device.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/place.h"
#include "run/bench/device_check.h"
#include "run/exec/device_row.h"
#include "run/exec/this_engine.h"
#include "run/train/predicted_step.h"

namespace plimsoll {
namespace {

constexpr double kMostSteps = 1e6, kLongestTime = 86'400, kLongestEpoch = 1e12;

template <class T>
std::vector<T> each_once(const std::vector<T>& list) {
  std::vector<T> once;
  for (const T& item : list)
    if (std::find(once.begin(), once.end(), item) == once.end()) once.push_back(item);
  return once;
}

std::string backend_names() {
  std::vector<std::string> names;
  for (const Backend* backend : all_backends()) names.emplace_back(backend->name());
  return listed(names);
}

// What the request asks for, read before anything is measured.
struct BenchPlan {
  StepOptions options;
  BenchCase each;  // all but the step, the threads and the way
  BenchGrid grid;
  NumberFormat format;
  BenchView view;
  std::vector<Candidate> beside;
};

Result<BenchPlan> plan_of(const BenchRequest& request) {
  BenchPlan plan;
  PLIM_ASSIGN(plan.options, request.step.options());
  PLIM_TRY(check_format(request.compute, request.device));
  PLIM_ASSIGN(plan.each.backend, backend_on(request.device, request.backend));
  plan.options.fuse = plan.each.backend->takes_fused();
  plan.each.least_steps = int(request.steps);
  plan.each.warm_up = int(request.warm_up);
  plan.each.least_time = Seconds{request.seconds};
  plan.each.profile = request.profile;
  plan.each.engine = engine_options(1, ConvSetting::automatic, request.device, request.compute);
  plan.grid = grid_of(request);
  plan.format = request.model.format();
  plan.view = {.model = request.model.source.name, .mode = request.step.mode, .samples = request.samples};
  for (const auto& name : request.beside) {
    PLIM_ASSIGN(Candidate candidate, find_candidate(name));
    plan.beside.push_back(std::move(candidate));
  }
  const auto machine = load_this_device();
  if (machine.ok() && machine->probed) plan.view.peak = machine->device.product_peak(DType::f32);
  return plan;
}

// Once all is measured: it opens what runs on a GPU, and measured processes begin as copies of this one.
void predict(const BenchCase& bench, BenchRun& run) {
  const auto lowered = bench.backend->lowering(bench.engine)->lower(bench.step);
  if (lowered.ok()) run.declined = grouped((*lowered)->program, (*lowered)->declined);
  const auto time = lowered.ok() ? predicted_step((*lowered)->program, bench.engine) : std::nullopt;
  if (!time) return;
  run.predicted = time->total;
  if (!run.result.profile) return;
  std::vector<Seconds> of_each;
  for (const auto& operation : time->operations) of_each.push_back(operation.seconds);
  set_predicted(*run.result.profile, **lowered, of_each);
}

Result<BenchCase> case_of(const BenchPlan& plan, const Network& network, int64_t batch, const EngineOptions& engine) {
  PLIM_ASSIGN(Program forward, network.forward(batch, plan.format));
  BenchCase bench = plan.each;
  PLIM_ASSIGN(bench.step, make_step(std::move(forward), plan.options));
  bench.engine = engine;
  return bench;
}

Result<BenchRun> run_one(const BenchCase& bench, int64_t batch) {
  const EngineOptions& engine = bench.engine;
  BenchRun run{batch, engine.threads, bench.step.micro_batches, engine.conv, step_flops(bench.step), {}};
  PLIM_ASSIGN(run.result, bench_step(bench));
  return run;
}

// The same step, predicted for other machines, whether their memory takes it or not.
Result<std::vector<BesideDevice>> predict_beside(const BenchPlan& plan, const Network& network) {
  Job job;
  job.network = &network;
  job.format = plan.format;
  job.step = plan.options;
  job.load_line = kLoadLine;
  job.batch = plan.grid.batches.front();
  job.samples = plan.view.samples;
  Placing placing(job);
  std::vector<BesideDevice> devices;
  for (const auto& candidate : plan.beside) {
    PLIM_ASSIGN(const JobPlacement placed, placing.on(candidate));
    devices.push_back(
        {candidate.whole.name, std::string(name_of(placed.framework)), placed.batch, placed.step, placed.epoch});
  }
  return devices;
}

Result<std::vector<BenchRun>> run_all(const BenchPlan& plan, const Network& network) {
  std::vector<BenchCase> cases;
  std::vector<BenchRun> runs;
  for (const ConvSetting way : plan.grid.ways)
    for (const int64_t batch : plan.grid.batches)
      for (const int64_t threads : plan.grid.threads) {
        EngineOptions engine = plan.each.engine;
        engine.threads = int(threads);
        engine.conv = way;
        PLIM_ASSIGN(cases.emplace_back(), case_of(plan, network, batch, engine));
        PLIM_ASSIGN(runs.emplace_back(), run_one(cases.back(), batch));
      }
  for (size_t i = 0; i < runs.size(); ++i) predict(cases[i], runs[i]);
  compare_threads(runs);
  return runs;
}

// At the first batch and number of threads, after everything was measured.
Status write_check(const std::string& file, const BenchPlan& plan, const Network& network, const BenchRun& measured) {
  PLIM_ASSIGN(Program forward, network.forward(plan.grid.batches.front(), plan.format));
  BenchCase bench = plan.each;
  PLIM_ASSIGN(bench.step, make_step(std::move(forward), plan.options));
  bench.engine.threads = plan.grid.threads.front();
  PLIM_ASSIGN(Json report, device_check(bench));
  report["model"] = plan.view.model;
  report["batch"] = measured.batch;
  report["threads"] = measured.threads;
  report["step_seconds"] = measured.result.median().value;
  report["predicted_step_seconds"] = measured.predicted ? Json(measured.predicted->value) : Json();
  return write_whole_file(file, json_text(report));
}

void describe_measuring(Fields& fields, BenchRequest& request) {
  fields.add(request.steps, {.name = "steps",
                             .subject = Subject::job,
                             .help = "measure at least this many steps",
                             .value = "N",
                             .least = 1,
                             .most = kMostSteps});
  fields.add(request.warm_up, {.name = "warm_up",
                               .subject = Subject::job,
                               .help = "warm-up steps, which are not counted",
                               .value = "N",
                               .least = 0,
                               .most = kMostSteps});
  fields.add(request.seconds, {.name = "seconds",
                               .subject = Subject::job,
                               .help = "measure for at least this long",
                               .value = "S",
                               .unit = "seconds",
                               .least = 0,
                               .most = kLongestTime});
  fields.add(request.samples, {.name = "samples",
                               .subject = Subject::job,
                               .help = "images per epoch",
                               .value = "N",
                               .least = 1,
                               .most = kLongestEpoch});
}

void describe_engine(Fields& fields, BenchRequest& request) {
  fields.add(request.device, device_row());
  fields.add(request.compute, compute_row());
  Row threads = threads_row();
  threads.help = "threads per step, one number or several: 1,2,4";
  threads.value = "LIST";
  threads.fallback = "one per core";
  fields.add(request.threads, threads);
  Row conv = conv_row();
  conv.help = "how to compute convolutions, one method or several: " + listed(choice_names<ConvSetting>());
  conv.value = "LIST";
  fields.add(request.conv, conv);
  fields.add(request.backend, {.name = "backend",
                               .subject = Subject::engine,
                               .help = backend_names() + " (slow, exact)",
                               .value = "NAME",
                               .fallback = std::string(all_backends().front()->name())});
}

}  // namespace

void BenchRequest::describe(Fields& fields) {
  model.describe(fields);
  fields.add(batch, {.name = "batch",
                     .subject = Subject::step,
                     .help = "samples per step, one number or several: 1,8,32",
                     .value = "LIST",
                     .least = 1,
                     .most = double(kLargestBatch)});
  step.describe(fields);
  fields.add(
      beside,
      {.name = "beside",
       .subject = Subject::machine,
       .help = "devices of the catalog ('plimsoll devices') whose predicted times are shown beside the measured ones",
       .value = "LIST"});
  describe_measuring(fields, *this);
  describe_engine(fields, *this);
  fields.add(profile, {.name = "profile",
                       .subject = Subject::view,
                       .help = "show where the time goes: run as many steps again with every operation timed"});
  fields.add(check, {.name = "check",
                     .subject = Subject::output,
                     .help = "also compare every operation of a step with the reference maths and the memory plan with "
                             "the memory taken, and write a report",
                     .value = "FILE"});
}

BenchGrid grid_of(const BenchRequest& request) {
  BenchGrid grid{each_once(request.conv), each_once(request.batch), each_once(request.threads)};
  if (grid.threads.empty()) grid.threads.push_back(engine_options(std::nullopt, ConvSetting::automatic).threads);
  return grid;
}

Status check(const BenchRequest& request) {
  if (request.model.source.empty())
    return user_error("no MODEL is given", fmt::format("for example bench alexnet {} 32", named("batch")));
  if (request.batch.empty()) return user_error(named("batch") + " is empty, expected at least one number");
  if (request.conv.empty()) return user_error(named("conv") + " is empty, expected at least one method");
  PLIM_TRY(plan_of(request));
  return {};
}

Result<BenchOutcome> ask_bench(const BenchRequest& request) {
  PLIM_TRY(plimsoll::check(request));
  if (request.check) PLIM_TRY(check_can_replace(*request.check));
  PLIM_ASSIGN(const BenchPlan plan, plan_of(request));
  PLIM_ASSIGN(const Network network, load_network(request.model));
  BenchOutcome outcome{{}, plan.view};
  PLIM_ASSIGN(outcome.view.beside, predict_beside(plan, network));
  PLIM_ASSIGN(outcome.runs, run_all(plan, network));
  if (request.check) PLIM_TRY(write_check(*request.check, plan, network, outcome.runs.front()));
  return outcome;
}

}  // namespace plimsoll
