#include "run/bench/bench_step.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/rows/json.h"
#include "model/ir/program_lookup.h"
#include "run/bench/child_process.h"
#include "run/data/loader.h"
#include "run/data/synthetic.h"
#include "run/exec/torch/torch_library.h"
#include "run/train/initialise.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

// What this process has had of all processors. Other work on the machine stretches the clock's time, hardly this.
double processor_seconds() {
  timespec had{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &had);
  return double(had.tv_sec) + 1e-9 * double(had.tv_nsec);
}

double median_of(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

struct MeasuredSteps {
  std::vector<double> seconds, processor;  // of each
};

constexpr uint64_t kSeed = 1;
constexpr int64_t kSamplesAhead = 64;  // batches in the made-up set
constexpr size_t kMostTimedSteps = 200;

template <class T>
void write_number(Executor& executor, std::string_view name, T number) {
  const ValueId id = input_named(executor.program(), name);
  if (id.present()) executor.write(id, std::as_bytes(std::span(&number, 1)));
}

int64_t count_of_classes(const Program& program) {
  const Shape& scores = program.value(program.outputs.at(0)).type->shape;
  return scores.rank() < 2 ? 1 : std::max<int64_t>(scores[scores.rank() - 1], 1);
}

class Bench {
 public:
  explicit Bench(const BenchCase& bench) : bench_(bench) {}

  Result<std::string> run() {
    PLIM_ASSIGN(executor_, make_executor(*bench_.backend, bench_.step, bench_.engine));
    initialise(*executor_, kSeed);
    PLIM_TRY(open_loader());
    PLIM_TRY(fill_targets());
    for (int i = 0; i < bench_.warm_up; ++i) PLIM_TRY(step());
    PLIM_ASSIGN(const MeasuredSteps measured, measured_steps());
    const Lowered& lowered = executor_->lowered();
    Json json{{"seconds", measured.seconds},
              {"processor", median_of(measured.processor)},
              {"planned", executor_->plan().peak().value()},
              {"reorders", lowered.reorders},
              {"conv_methods", lowered.conv_methods()},
              {"by_reference", lowered.by_reference}};
    if (const auto bytes = executor_->device_memory_in_use()) json["device_peak"] = bytes->value();
    if (bench_.profile) {
      PLIM_ASSIGN(const Profile profile, profiled_steps());
      json["profile"] = packed(profile);
    }
    return json.dump();
  }

 private:
  Result<MeasuredSteps> measured_steps() {
    MeasuredSteps steps;
    const auto begin = Clock::now();
    while (int(steps.seconds.size()) < bench_.least_steps || since(begin) < bench_.least_time.value) {
      const double had = processor_seconds();
      const auto start = Clock::now();
      PLIM_TRY(step());
      steps.seconds.push_back(since(start));
      steps.processor.push_back(processor_seconds() - had);
    }
    return steps;
  }

  Result<Profile> profiled_steps() {
    std::vector<Seconds> of_each(executor_->program().operations.size());
    executor_->time_into(&of_each);
    const auto steps = timed_steps(of_each);
    executor_->time_into(nullptr);
    if (!steps.ok()) return steps.error();
    return make_profile(executor_->lowered(), *steps);
  }

  Result<std::vector<TimedStep>> timed_steps(std::vector<Seconds>& of_each) {
    std::vector<TimedStep> steps;
    const auto begin = Clock::now();
    const auto enough = [&] {
      return int(steps.size()) >= bench_.least_steps && since(begin) >= bench_.least_time.value;
    };
    while (steps.size() < kMostTimedSteps && !enough()) {
      std::fill(of_each.begin(), of_each.end(), Seconds{});
      const auto start = Clock::now();
      PLIM_TRY(step());
      steps.push_back({Seconds{since(start)}, of_each});
    }
    return steps;
  }

  static double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

  const ProgramValue& value(ValueId id) const { return executor_->program().value(id); }

  Status open_loader() {
    input_ = bench_.step.inputs.at(0);
    const TensorType& whole = *value(input_).type;
    const Shape& shape = whole.shape;
    SampleType sample;
    sample.input = {whole.dtype, Shape(std::vector<int64_t>(shape.begin() + 1, shape.end()))};
    sample.classes = count_of_classes(bench_.step);
    LoaderOptions options;
    options.batch = shape[0];
    PLIM_ASSIGN(DatasetPtr samples, synthetic(sample, kSamplesAhead * options.batch, kSeed, sample.classes));
    PLIM_ASSIGN(loader_, Loader::make(samples, options));
    return loader_->start(0);
  }

  // Any targets do for measuring: class 0, or zeros.
  Status fill_targets() {
    for (size_t i = 1; i < bench_.step.inputs.size(); ++i) {
      const ValueId id = bench_.step.inputs[i];
      zeros_.push_back({id, std::vector<std::byte>(size_t(value(id).type->bytes().value()))});
    }
    return {};
  }

  // An inference is asked about samples that are there: it gets the same ones again and again.
  bool trains() const { return bench_.step.loss.present(); }

  Result<Batch> next_batch() {
    PLIM_ASSIGN(std::optional<Batch> batch, loader_->next());
    if (!batch) {
      PLIM_TRY(loader_->start(++epoch_));
      PLIM_ASSIGN(batch, loader_->next());
    }
    return *batch;
  }

  Status step() {
    ++steps_;
    for (int64_t micro_batch = 0; micro_batch < executor_->program().micro_batches; ++micro_batch) {
      if (!batch_ || trains()) {
        PLIM_ASSIGN(batch_, next_batch());
      }
      executor_->write(input_, batch_->inputs);
      for (const auto& [id, zeros] : zeros_) executor_->write(id, zeros);
      write_number(*executor_, "learning_rate", 1e-6F);
      write_number(*executor_, "step", steps_);
      executor_->compute();
    }
    executor_->update();
    if (!executor_->on_host()) wait();
    return {};
  }

  // A device is asked for a step and computes it later: what the step came to is there when it is done.
  void wait() {
    const ValueId told = trains() ? executor_->program().loss : executor_->program().outputs.at(0);
    told_.resize(size_t(value(told).type->bytes().value()));
    executor_->read(told, told_);
  }

  const BenchCase& bench_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Loader> loader_;
  ValueId input_;
  std::optional<Batch> batch_;
  std::vector<std::pair<ValueId, std::vector<std::byte>>> zeros_;
  std::vector<std::byte> told_;
  int64_t epoch_ = 0, steps_ = 0;
};

}  // namespace

Seconds BenchResult::median() const { return Seconds{seconds[seconds.size() / 2]}; }

Seconds BenchResult::quartile(int which) const { return Seconds{seconds[seconds.size() * size_t(which) / 4]}; }

double BenchResult::spread() const { return (quartile(3).value - quartile(1).value) / median().value; }

// Neither a GPU nor libtorch's threads survive in a copy of a process that has used them, as one that has called us
// before may have.
Result<BenchResult> bench_step(const BenchCase& bench) {
  const bool here = bench.engine.device.by_torch() && torch_in_use();
  PLIM_ASSIGN(const ChildOutcome child, (here ? in_this_process : in_child)([&] { return Bench(bench).run(); }));
  const Json json = Json::parse(child.output);
  BenchResult result;
  result.seconds = json["seconds"].get<std::vector<double>>();
  std::sort(result.seconds.begin(), result.seconds.end());
  result.processor = Seconds{json["processor"].get<double>()};
  result.planned = Bytes(json["planned"].get<int64_t>());
  result.peak = json.contains("device_peak") ? Bytes(json["device_peak"].get<int64_t>()) : child.peak;
  result.reorders = json["reorders"].get<int64_t>();
  result.conv_methods = json["conv_methods"].get<std::map<ConvMethod, int64_t>>();
  result.by_reference = json["by_reference"].get<std::vector<std::string>>();
  if (json.contains("profile")) result.profile = unpacked(json["profile"]);
  return result;
}

}  // namespace plimsoll
