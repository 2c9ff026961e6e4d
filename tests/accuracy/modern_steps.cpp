#include "tests/accuracy/modern_steps.h"

#include <map>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/memory/framework_form.h"
#include "plan/memory/framework_profile.h"
#include "plan/time/step_time.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

TorchVersion version(const std::string& text) {
  return {std::atoi(text.c_str()), std::atoi(text.substr(text.find('.') + 1).c_str())};
}

Result<Program> step_of(const ModernStep& step) {
  PLIM_ASSIGN(const Graph graph, build_model(step.network, {.input = Shape{3, step.image, step.image}}));
  FrameworkForm form{.pytorch = true, .fused_attention = step.execution.torch >= TorchVersion{2, 0}};
  if (step.dtype == "amp") form.autocast = DType::f16;
  const DType stored = form.autocast ? DType::f32 : step.execution.dtype;
  PLIM_ASSIGN(Program program, bind(graph, {.batch = step.batch, .parameters = stored, .activations = stored}));
  take_form(program, form);
  StepOptions options = step_options(Framework::pytorch);
  if (step.mode == "training") {
    PLIM_ASSIGN(options.optimizer, find_optimizer(step.optimizer));
  }
  return make_step(std::move(program), options);
}

using Programs = std::map<std::tuple<std::string, std::string, std::string, std::string, int64_t, int64_t, bool>,
                          std::shared_ptr<const TimedProgram>>;

void predict(ModernStep& step, Programs& programs) {
  const auto key = std::tuple(step.network, step.mode, step.dtype, step.optimizer, step.image, step.batch,
                              step.execution.torch >= TorchVersion{2, 0});
  if (!programs.contains(key)) {
    const auto program = step_of(step);
    ASSERT_TRUE(program.ok()) << step.network << ": " << program.error().line();
    programs[key] = std::make_shared<const TimedProgram>(timed(*program));
  }
  const auto device = find_device(step.device);
  ASSERT_TRUE(device.ok()) << device.error().line();
  step.program = programs[key];
  const auto time = step_time(*step.program, *device, step.execution);
  ASSERT_TRUE(time.ok()) << time.error().line();
  step.predicted = time->total.value;
  step.launch = time->launch.value;
}

}  // namespace

std::vector<ModernStep> modern_steps(const std::string& file) {
  std::vector<ModernStep> steps;
  Programs programs;
  for (const FactRow& row : facts("modern/" + file)) {
    ModernStep step{.network = row.at("network"), .device = row.at("device"), .mode = row.at("mode")};
    if (row.contains("set")) step.set = row.at("set");
    if (row.contains("dtype")) step.dtype = row.at("dtype");
    if (row.contains("optimizer")) step.optimizer = row.at("optimizer");
    step.image = std::atoll(row.at("image").c_str());
    step.batch = std::atoll(row.at("batch").c_str());
    step.execution.dtype = dtype_named(step.dtype).value_or(DType::f16);
    step.execution.layout = row.at("layout") == "nhwc" ? ImageLayout::nhwc : ImageLayout::nchw;
    step.execution.compiled = row.at("compiled") == "1";
    step.execution.torch = version(row.at("torch"));
    step.measured = std::atof(row.at("step_ms").c_str()) * 1e-3;
    predict(step, programs);
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace plimsoll
