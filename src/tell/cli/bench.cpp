// plimsoll bench: how long a step really takes here, and how much memory, beside what was predicted.
#include <fmt/format.h>

#include <algorithm>

#include "base/file_beside.h"
#include "base/text.h"
#include "base/write_file.h"
#include "model/passes/pipeline.h"
#include "plan/devices/this_device.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/place.h"
#include "run/bench/bench_run.h"
#include "tell/cli/command.h"
#include "tell/cli/engine_flags.h"
#include "tell/cli/model_flags.h"
#include "tell/cli/numbers.h"
#include "tell/cli/plot_flag.h"
#include "tell/cli/predicted_step.h"
#include "tell/cli/step_flags.h"
#include "tell/report/bench_plot.h"
#include "tell/report/bench_report.h"

namespace plimsoll {
namespace {

constexpr int kMostSteps = 1'000'000;
constexpr int64_t kLongestEpoch = 1'000'000'000'000;

struct BenchFlags {
  std::string model;
  ModelFlags network;
  StepFlags step;
  EngineFlags engine;  // threads and conv: lists
  std::string steps, warm_up = "2", seconds = "1", samples, backend = "onednn", plot;
  std::vector<std::string> beside;
  bool profile = false, json = false, quiet = false;
};

// Each once, in the order given.
template <class T>
void add_new(std::vector<T>& list, T item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

Result<std::vector<int64_t>> list_of(const std::string& flag, const std::string& text, int64_t largest) {
  std::vector<int64_t> numbers;
  for (const auto& part : split(text, ',')) {
    PLIM_ASSIGN(const int64_t number, parse_integer(flag, part, 1, largest));
    add_new(numbers, number);
  }
  return numbers;
}

Result<std::vector<int64_t>> threads_of(const BenchFlags& flags) {
  if (!flags.engine.threads.empty()) return list_of("--threads", flags.engine.threads, 1024);
  PLIM_ASSIGN(const int threads, read_threads(""));
  return std::vector<int64_t>{threads};
}

Result<std::vector<ConvWay>> ways_of(const BenchFlags& flags) {
  std::vector<ConvWay> ways;
  if (flags.engine.conv.empty()) return std::vector{EngineOptions(1).conv};
  for (const auto& part : split(flags.engine.conv, ',')) {
    PLIM_ASSIGN(const ConvWay way, parse_conv_way(part));
    add_new(ways, way);
  }
  return ways;
}

// Afterwards: the measured process begins as a copy of this one.
void predict(const BenchCase& bench, BenchRun& run) {
  const auto lowered = bench.backend->lowering(bench.engine)->lower(bench.step);
  const auto time = lowered.ok() ? predicted_step((*lowered)->program, bench.engine) : std::nullopt;
  if (!time) return;
  run.predicted = time->total;
  if (!run.result.profile) return;
  std::vector<Seconds> of_each;
  for (const auto& operation : time->operations) of_each.push_back(operation.seconds);
  set_predicted(*run.result.profile, **lowered, of_each);
}

// What the flags ask for, read before anything is measured.
struct BenchPlan {
  StepOptions options;
  BenchCase each;  // all but the step, the threads and the way
  std::vector<int64_t> threads, batches;
  std::vector<ConvWay> ways;
  NumberFormat format;
  BenchView view;
  std::vector<Candidate> beside;
};

// Tried now, since measuring takes long.
Status check_plot(const BenchFlags& flags, const BenchPlan& plan) {
  if (flags.plot.empty()) return {};
  PLIM_TRY(check_plot_name(flags.plot));
  if (plan.threads.size() < 2 && plan.batches.size() < 2)
    return user_error("--plot needs several numbers of threads or several batches to draw a line through",
                      "for example --threads 1,2");
  PLIM_TRY(check_can_replace(flags.plot));
  PLIM_ASSIGN(const FileBeside tried, FileBeside::create(flags.plot));
  return {};
}

Status read_repetitions(const BenchFlags& flags, BenchCase& each) {
  if (!flags.steps.empty()) {
    PLIM_ASSIGN(const int64_t steps, parse_integer("--steps", flags.steps, 1, kMostSteps));
    each.least_steps = int(steps);
  }
  PLIM_ASSIGN(const int64_t warm_up, parse_integer("--warm-up", flags.warm_up, 0, kMostSteps));
  each.warm_up = int(warm_up);
  PLIM_ASSIGN(const double seconds, parse_number("--seconds", flags.seconds, 0, Edge::included, 86400));
  each.least_time = Seconds{seconds};
  each.profile = flags.profile;
  return {};
}

Result<BenchPlan> read_plan(const BenchFlags& flags) {
  BenchPlan plan;
  PLIM_ASSIGN(plan.options, flags.step.read());
  PLIM_ASSIGN(plan.each.backend, find_backend(flags.backend));
  PLIM_TRY(read_repetitions(flags, plan.each));
  PLIM_ASSIGN(plan.threads, threads_of(flags));
  const EngineFlags any{"1", ""};
  PLIM_ASSIGN(plan.each.engine, any.read());
  PLIM_ASSIGN(plan.ways, ways_of(flags));
  PLIM_ASSIGN(plan.batches, list_of("--batch", flags.network.batch.empty() ? "1" : flags.network.batch, kLargestBatch));
  PLIM_ASSIGN(plan.format, flags.network.read_format());
  plan.view = {flags.model, flags.step.mode};
  if (!flags.samples.empty()) {
    PLIM_ASSIGN(plan.view.samples, parse_integer("--samples", flags.samples, 1, kLongestEpoch));
  }
  for (const auto& name : flags.beside) {
    PLIM_ASSIGN(Candidate candidate, find_candidate(name));
    plan.beside.push_back(std::move(candidate));
  }
  const auto machine = load_this_device();
  if (machine.ok() && machine->probed) plan.view.peak = machine->device.product_peak(DType::f32);
  PLIM_TRY(check_plot(flags, plan));
  return plan;
}

Result<BenchRun> run_one(const BenchPlan& plan, const Network& network, int64_t batch, const EngineOptions& engine) {
  PLIM_ASSIGN(Program forward, network.forward(batch, plan.format));
  BenchCase bench = plan.each;
  PLIM_ASSIGN(bench.step, make_step(std::move(forward), plan.options));
  bench.engine = engine;
  BenchRun run{batch, engine.threads, bench.step.micro_batches, engine.conv, step_flops(bench.step), {}};
  PLIM_ASSIGN(run.result, bench_step(bench));
  predict(bench, run);
  return run;
}

// The same step, predicted for other machines, whether their memory takes it or not.
Result<std::vector<BesideDevice>> predict_beside(const BenchPlan& plan, const Network& network) {
  Job job;
  job.network = &network;
  job.format = plan.format;
  job.step = plan.options;
  job.load_line = kLoadLine;
  job.batch = plan.batches.front();
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
  std::vector<BenchRun> runs;
  for (const ConvWay way : plan.ways)
    for (const int64_t batch : plan.batches)
      for (const int64_t threads : plan.threads) {
        EngineOptions engine = plan.each.engine;
        engine.threads = int(threads);
        engine.conv = way;
        PLIM_ASSIGN(BenchRun run, run_one(plan, network, batch, engine));
        runs.push_back(std::move(run));
      }
  compare_threads(runs);
  return runs;
}

Result<int> run_bench(const BenchFlags& flags) {
  PLIM_ASSIGN(BenchPlan plan, read_plan(flags));
  ModelFlags any_batch = flags.network;
  any_batch.batch.clear();
  PLIM_ASSIGN(const Network network, load_network(flags.model, any_batch));
  PLIM_ASSIGN(plan.view.beside, predict_beside(plan, network));
  PLIM_ASSIGN(const std::vector<BenchRun> runs, run_all(plan, network));
  const std::string text = flags.json ? json_text(bench_json(runs, plan.view)) : bench_text(runs, plan.view);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (flags.plot.empty()) return int(kExitDone);
  PLIM_TRY(write_whole_file(flags.plot, plots_svg(bench_plots(runs, plan.view))));
  if (!flags.quiet) fmt::print(stderr, "Drawn in {}.\n", printable(flags.plot));
  return int(kExitDone);
}

}  // namespace

Action declare_bench(CLI::App& app) {
  const auto flags = std::make_shared<BenchFlags>();
  app.description(
      "How long a step of a network really takes on this machine, and how much memory, beside what was planned and\n"
      "predicted. Each run is a process of its own, on made-up samples through the real loader.");
  app.footer(
      "Examples:\n"
      "  plimsoll bench alexnet --batch 32 --threads 1,2\n"
      "  plimsoll bench resnet50 --batch 1,8 --mode inference --json\n"
      "  plimsoll bench alexnet --batch 32 --threads 1,2 --conv direct,winograd --plot alexnet.svg\n"
      "  plimsoll bench alexnet --batch 32 --threads 1,2 --beside nvidia-t4,intel-i5-8250u --plot alexnet.svg\n"
      "  plimsoll bench vgg16 --batch 4 --profile\n"
      "Exit codes: 0 measured, 2 a mistake in the flags or the file, 4 the machine failed.");
  app.add_option("MODEL", flags->model, "a network of the zoo ('plimsoll models') or the path of an .onnx file")
      ->required();
  flags->network.declare(app, "samples a step, one or several: 1,8,32 (default 1)");
  flags->step.declare(app);
  app.add_option("--threads", flags->engine.threads, "one or several: 1,2,4 (default: this machine's cores)")
      ->type_name("LIST");
  app.add_option("--conv", flags->engine.conv,
                 "how convolutions are computed, one or several: auto (default), direct, winograd, fft")
      ->type_name("LIST");
  app.add_option("--steps", flags->steps, "measure at least so many steps (default 5)")->type_name("N");
  app.add_option("--warm-up", flags->warm_up, "steps before them that are not counted")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--seconds", flags->seconds, "and at least for so long")->type_name("S")->capture_default_str();
  app.add_option("--backend", flags->backend, "onednn or reference")->type_name("NAME")->capture_default_str();
  app.add_flag("--profile", flags->profile, "where the time goes: as many steps again, with every operation timed");
  app.add_option("--plot", flags->plot,
                 "draw time per epoch and speed-up against threads, time per step against batch, into this .svg file")
      ->type_name("FILE");
  app.add_option(
         "--beside", flags->beside,
         "devices of the catalog ('plimsoll devices'): their time is predicted and drawn beside what is measured")
      ->type_name("NAME")
      ->delimiter(',');
  app.add_option("--samples", flags->samples, "images of an epoch (default 50000)")->type_name("N");
  app.add_flag("--json", flags->json, "one JSON document");
  app.add_flag("--quiet", flags->quiet, "no messages besides the answer");
  return [flags] { return run_bench(*flags); };
}

}  // namespace plimsoll
