// plimsoll bench: how long a step really takes here, and how much memory, beside what was predicted.
#include <fmt/format.h>

#include "model/passes/pipeline.h"
#include "plan/devices/this_device.h"
#include "plan/time/step_time.h"
#include "run/bench/bench_step.h"
#include "run/exec/conv_methods.h"
#include "tell/cli/command.h"
#include "tell/cli/engine_flags.h"
#include "tell/cli/model_flags.h"
#include "tell/cli/numbers.h"
#include "tell/cli/step_flags.h"
#include "tell/report/bench_report.h"

namespace plimsoll {
namespace {

constexpr int kMostSteps = 1'000'000;

struct BenchFlags {
  std::string model;
  ModelFlags network;
  StepFlags step;
  EngineFlags engine;  // threads: a list
  std::string steps, warm_up = "2", seconds = "1", backend = "onednn";
  bool json = false, quiet = false;
};

Result<std::vector<int64_t>> list_of(const std::string& flag, const std::string& text, int64_t largest) {
  std::vector<int64_t> numbers;
  for (const auto& part : split(text, ',')) {
    PLIM_ASSIGN(const int64_t number, parse_integer(flag, part, 1, largest));
    numbers.push_back(number);
  }
  return numbers;
}

Result<std::vector<int64_t>> threads_of(const BenchFlags& flags) {
  if (!flags.engine.threads.empty()) return list_of("--threads", flags.engine.threads, 1024);
  PLIM_ASSIGN(const int threads, read_threads(""));
  return std::vector<int64_t>{threads};
}

// Of what was measured of this machine; nothing when it was not.
std::optional<Seconds> predicted(const BenchCase& bench) {
  const auto machine = load_this_device();
  if (!machine.ok() || !machine->probed) return std::nullopt;
  const auto lowered = bench.backend->lowering(bench.engine)->lower(bench.step);
  if (!lowered.ok()) return std::nullopt;
  Execution execution;
  execution.software = Software::plimsoll;
  execution.threads = bench.engine.threads;
  execution.conv_methods = methods_of(bench.engine.conv);
  const auto time = step_time((*lowered)->program, machine->device, execution);
  return time.ok() ? std::optional(time->total) : std::nullopt;
}

class Benching {
 public:
  explicit Benching(const BenchFlags& flags) : flags_(flags) {}

  Result<std::vector<BenchRun>> run() {
    PLIM_ASSIGN(options_, flags_.step.read());
    PLIM_ASSIGN(backend_, find_backend(flags_.backend));
    PLIM_ASSIGN(const auto threads, threads_of(flags_));
    const EngineFlags one_thread{"1", flags_.engine.conv};
    PLIM_ASSIGN(engine_, one_thread.read());
    const std::string given = flags_.network.batch.empty() ? "1" : flags_.network.batch;
    PLIM_ASSIGN(const auto batches, list_of("--batch", given, kLargestBatch));
    ModelFlags network = flags_.network;
    network.batch.clear();
    PLIM_ASSIGN(const Network loaded, load_network(flags_.model, network));
    for (const int64_t batch : batches)
      for (const int64_t count : threads) PLIM_TRY(run_one(loaded, batch, count));
    return std::move(runs_);
  }

 private:
  Status run_one(const Network& network, int64_t batch, int64_t threads) {
    PLIM_ASSIGN(const NumberFormat format, flags_.network.read_format());
    PLIM_ASSIGN(Program forward, network.forward(batch, format));
    BenchCase bench;
    PLIM_ASSIGN(bench.step, make_step(std::move(forward), options_));
    bench.backend = backend_;
    bench.engine = engine_;
    bench.engine.threads = int(threads);
    if (!flags_.steps.empty()) {
      PLIM_ASSIGN(const int64_t steps, parse_integer("--steps", flags_.steps, 1, kMostSteps));
      bench.least_steps = int(steps);
    }
    PLIM_ASSIGN(const int64_t warm_up, parse_integer("--warm-up", flags_.warm_up, 0, kMostSteps));
    bench.warm_up = int(warm_up);
    PLIM_ASSIGN(const double seconds, parse_number("--seconds", flags_.seconds, 0, Edge::included, 86400));
    bench.least_time = Seconds{seconds};
    BenchRun run{batch, threads, {}, std::nullopt, std::nullopt};
    PLIM_ASSIGN(run.result, bench_step(bench));
    run.predicted = predicted(bench);  // afterwards: the measured process begins as a copy of this one
    if (runs_.empty() || runs_.back().batch != batch) single_ = run.result.median();
    run.speedup = single_.value / run.result.median().value;
    runs_.push_back(std::move(run));
    return {};
  }

  const BenchFlags& flags_;
  StepOptions options_;
  const Backend* backend_ = nullptr;
  EngineOptions engine_{1};
  Seconds single_;  // of the first number of threads
  std::vector<BenchRun> runs_;
};

Result<int> run_bench(const BenchFlags& flags) {
  PLIM_ASSIGN(const std::vector<BenchRun> runs, Benching(flags).run());
  const BenchView view{flags.model, flags.step.mode};
  const std::string text = flags.json ? json_text(bench_json(runs, view)) : bench_text(runs, view);
  std::fwrite(text.data(), 1, text.size(), stdout);
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
      "Exit codes: 0 measured, 2 a mistake in the flags or the file, 4 the machine failed.");
  app.add_option("MODEL", flags->model, "a network of the zoo ('plimsoll models') or the path of an .onnx file")
      ->required();
  flags->network.declare(app, "samples a step, one or several: 1,8,32 (default 1)");
  flags->step.declare(app);
  app.add_option("--threads", flags->engine.threads, "one or several: 1,2,4 (default: this machine's cores)")
      ->type_name("LIST");
  flags->engine.declare_conv(app);
  app.add_option("--steps", flags->steps, "measure at least so many steps (default 5)")->type_name("N");
  app.add_option("--warm-up", flags->warm_up, "steps before them that are not counted")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--seconds", flags->seconds, "and at least for so long")->type_name("S")->capture_default_str();
  app.add_option("--backend", flags->backend, "onednn or reference")->type_name("NAME")->capture_default_str();
  app.add_flag("--json", flags->json, "one JSON document");
  app.add_flag("--quiet", flags->quiet, "no messages besides the answer");
  return [flags] { return run_bench(*flags); };
}

}  // namespace plimsoll
