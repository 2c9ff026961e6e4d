#include "tests/accuracy/measured_steps.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/time/data_parallel.h"
#include "plan/time/step_time.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

// Copies from memory that the driver has not pinned, as a share of the link.
constexpr double kPageableShare = 0.4;

const std::map<std::string, std::string> kDevices = {
    {"GTX 1080 Ti", "nvidia-gtx-1080-ti"},
    {"Pascal Titan X", "nvidia-titan-x-pascal"},
    {"GTX 1080", "nvidia-gtx-1080"},
    {"Maxwell Titan X", "nvidia-titan-x-maxwell"},
    {"NVIDIA Titan X (Maxwell)", "nvidia-titan-x-maxwell"},
    {"Dual Xeon E5-2630 v3", "intel-xeon-e5-2630-v3"},
    {"GeForce RTX 2080 Ti", "nvidia-rtx-2080-ti"},
    {"TITAN Xp", "nvidia-titan-xp"},
    {"TITAN V", "nvidia-titan-v"},
};

const std::map<std::string, std::string> kNetworks = {
    {"AlexNet", "alexnet_caffe"},
    {"Inception-V1", "googlenet"},
    {"VGG-16", "vgg16"},
    {"VGG-19", "vgg19"},
    {"ResNet-18", "resnet18"},
    {"ResNet-34", "resnet34"},
    {"ResNet-50", "resnet50"},
    {"ResNet-101", "resnet101"},
    {"ResNet-152", "resnet152"},
    {"ResNet-200", "resnet200"},
    {"AlexNet (One Weird Trick paper)", "alexnet"},
    {"Overfeat [fast]", "overfeat"},
    {"OxfordNet [Model-A]", "vgg11"},
    {"GoogleNet V1", "googlenet"},
};

double seconds(const std::string& milliseconds) { return std::atof(milliseconds.c_str()) * 1e-3; }

void add_jcjohnson(std::vector<MeasuredStep>& steps) {
  for (const auto& row : facts("step_time_jcjohnson.csv")) {
    const bool cpu = row.at("device_kind") == "cpu";
    if (!cpu && row.at("cudnn") == "None") continue;
    MeasuredStep step{.source = "jcjohnson", .network = kNetworks.at(row.at("model"))};
    step.device = kDevices.at(row.at("device"));
    step.execution = {.framework = Framework::torch7, .cudnn = std::atof(row.at("cudnn").substr(0, 3).c_str())};
    step.batch = std::atoll(row.at("batch").c_str());
    step.target = !cpu;
    step.forward = seconds(row.at("forward_ms"));
    step.total = seconds(row.at("total_ms"));
    steps.push_back(std::move(step));
  }
}

void add_soumith(std::vector<MeasuredStep>& steps) {
  for (const auto& row : facts("step_time_soumith.csv")) {
    const std::string& library = row.at("library");
    if (!library.starts_with("CuDNN")) continue;
    MeasuredStep step{.source = "soumith", .network = kNetworks.at(row.at("model"))};
    step.device = kDevices.at(row.at("device"));
    step.execution = {.framework = Framework::torch7,
                      .dtype = row.at("precision") == "fp16" ? DType::f16 : DType::f32,
                      .cudnn = library.starts_with("CuDNN[R2]") ? 2.0 : 4.0};
    step.batch = std::atoll(row.at("batch").c_str());
    step.forward = seconds(row.at("forward_ms"));
    step.total = seconds(row.at("total_ms"));
    steps.push_back(std::move(step));
  }
}

void add_ryujaehun(std::vector<MeasuredStep>& steps) {
  const std::map<std::string, DType> dtypes = {{"half", DType::f16}, {"float", DType::f32}, {"double", DType::f64}};
  std::map<std::vector<std::string>, std::vector<double>> repeated;
  for (const auto& row : facts("step_time_ryujaehun.csv"))
    repeated[{row.at("model"), row.at("device"), row.at("n_gpus"), row.at("precision"), row.at("mode"),
              row.at("batch_per_gpu")}]
        .push_back(seconds(row.at("median_ms")));
  for (const auto& [key, times] : repeated) {
    MeasuredStep step{.source = "ryujaehun", .network = key[0], .device = kDevices.at(key[1])};
    step.devices = std::atoll(key[2].c_str());
    step.execution = {.framework = Framework::pytorch, .dtype = dtypes.at(key[3]), .cudnn = 7.5, .torch = {1, 0}};
    step.execution.host_factor = 1;  // these hosts are the measure of all others
    step.trains = key[4] == "train";
    step.batch = std::atoll(key[5].c_str());
    step.total = median(times);
    step.with_copy = true;
    steps.push_back(std::move(step));
  }
}

void add_catsdogs(std::vector<MeasuredStep>& steps) {
  for (const auto& row : facts("catsdogs_runs.csv")) {
    // The T4's run was bound by its loader.
    if (row.at("seconds_per_step").empty() || row.at("hardware") == "nvidia-t4") continue;
    MeasuredStep step{.source = "catsdogs", .network = "catsdogs", .device = row.at("hardware")};
    step.execution = {.framework = Framework::tensorflow};
    step.batch = std::atoll(row.at("batch").c_str());
    step.target = false;
    step.total = std::atof(row.at("seconds_per_step").c_str());
    steps.push_back(std::move(step));
  }
}

Result<Program> make_program(const MeasuredStep& step) {
  ZooOptions options;
  if (step.network == "alexnet_caffe") options.input = Shape{3, 224, 224};
  PLIM_ASSIGN(const Graph graph, build_model(step.network, options));
  const DType dtype = step.execution.dtype;
  PLIM_ASSIGN(Program program, bind(graph, {.batch = step.batch, .parameters = dtype, .activations = dtype}));
  StepOptions how{.fuse = false};
  if (step.trains) {
    PLIM_ASSIGN(how.optimizer, find_optimizer("sgd"));
  }
  return make_step(std::move(program), how);
}

}  // namespace

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const size_t half = numbers.size() / 2;
  return numbers.size() % 2 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

std::vector<MeasuredStep> measured_steps() {
  std::vector<MeasuredStep> steps;
  add_jcjohnson(steps);
  add_soumith(steps);
  add_ryujaehun(steps);
  add_catsdogs(steps);
  return steps;
}

const TimedProgram& StepPredictor::program(const MeasuredStep& step) {
  const auto key = std::tuple(step.network, step.batch, step.trains, step.execution.dtype);
  if (const auto found = programs_.find(key); found != programs_.end()) return found->second;
  const auto program = make_program(step);
  if (!program.ok()) ADD_FAILURE() << step.network << ": " << program.error().line();
  return programs_[key] = program.ok() ? timed(*program) : TimedProgram{};
}

const Device& StepPredictor::device(const std::string& name) {
  if (const auto found = devices_.find(name); found != devices_.end()) return found->second;
  const auto device = find_device(name);
  if (!device.ok()) ADD_FAILURE() << device.error().line();
  return devices_[name] = device.ok() ? *device : Device{};
}

PredictedStep StepPredictor::operator()(const MeasuredStep& step, const TimeParameters& parameters) {
  const TimedProgram& timed = program(step);
  const Device& where = device(step.device);
  const auto one = step_time(timed, where, step.execution, parameters);
  const auto all = data_parallel_time(timed, where, step.execution, step.devices, parameters);
  if (!one.ok() || !all.ok()) return {};
  PredictedStep predicted{one->forward.value, all->value};
  // What Torch7's rows measured has no loss.
  if (step.execution.framework == Framework::torch7) predicted.total -= one->loss.value;
  if (step.with_copy && where.host_link)
    predicted.total += timed.input_bytes * double(step.devices) / (where.host_link->per_second * kPageableShare);
  return predicted;
}

}  // namespace plimsoll
