#include "run/train/predicted_step.h"

#include "plan/devices/conv_methods.h"
#include "plan/devices/this_device.h"
#include "run/exec/device_here.h"

namespace plimsoll {
namespace {

// By what probe has measured of that device. Its f32 is f32 proper, also where a GPU has tf32.
std::optional<StepTime> predicted_by_torch(const Program& lowered, const EngineOptions& engine) {
  const ComputeFormat::Numbers format = engine.format.numbers;
  const bool tf32 = format == ComputeFormat::Numbers::tf32;
  if (format != ComputeFormat::Numbers::f32 && !tf32) return std::nullopt;
  auto device = kept_probe(engine.device);
  if (!device) return std::nullopt;
  if (!tf32) device->matrix_peak.erase(DType::tf32);
  Execution execution{.framework = Framework::pytorch, .dtype = tf32 ? DType::tf32 : DType::f32};
  if (engine.device.kind == RunDevice::Kind::torch_cpu) execution.threads = engine.threads;
  if (engine.format.channels_last) execution.layout = ImageLayout::nhwc;
  auto time = step_time(lowered, *device, execution);
  return time.ok() ? std::optional(*std::move(time)) : std::nullopt;
}

}  // namespace

std::optional<StepTime> predicted_step(const Program& lowered, const EngineOptions& engine) {
  if (engine.device.by_torch()) return predicted_by_torch(lowered, engine);
  const auto probe = probe_of_this_machine();
  if (!probe) return std::nullopt;
  auto time =
      step_time(lowered, *probe,
                {.framework = Framework::plimsoll, .threads = engine.threads, .conv_methods = methods_of(engine.conv)});
  return time.ok() ? std::optional(*std::move(time)) : std::nullopt;
}

}  // namespace plimsoll
