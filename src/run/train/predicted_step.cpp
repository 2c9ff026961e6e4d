#include "run/train/predicted_step.h"

#include "plan/devices/conv_methods.h"
#include "plan/devices/this_device.h"

namespace plimsoll {

std::optional<StepTime> predicted_step(const Program& lowered, const EngineOptions& engine) {
  if (engine.device.by_torch()) return std::nullopt;  // the probe is of our own kernels
  const auto probe = probe_of_this_machine();
  if (!probe) return std::nullopt;
  auto time =
      step_time(lowered, *probe,
                {.software = Software::plimsoll, .threads = engine.threads, .conv_methods = methods_of(engine.conv)});
  return time.ok() ? std::optional(*std::move(time)) : std::nullopt;
}

}  // namespace plimsoll
