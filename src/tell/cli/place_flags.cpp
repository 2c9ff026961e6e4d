#include "tell/cli/place_flags.h"

#include <fmt/format.h>

#include "base/text.h"
#include "plan/devices/all_devices.h"

namespace plimsoll {

Result<ChosenDevice> choose_device(const std::string& name) {
  ChosenDevice chosen;
  PLIM_ASSIGN(chosen.whole, load_device(name));
  PLIM_ASSIGN(const ComputePart part, compute_part(chosen.whole));
  chosen.part = part.device;
  chosen.count = part.count;
  // A CPU's memory is that of the machine around it; a share of one comes as the instance itself.
  if (part.device.kind != DeviceKind::gpu) {
    chosen.part.kind = DeviceKind::cpu;
    if (chosen.whole.memory) chosen.part.memory = chosen.whole.memory;
  }
  if (part.device.kind == DeviceKind::gpu) {
    PLIM_ASSIGN(chosen.host, host_part(chosen.whole));
  }
  return chosen;
}

Result<Framework> choose_framework(const std::string& name, const std::optional<Device>& device) {
  const bool gpu = device && device->kind == DeviceKind::gpu;
  if (name.empty()) return gpu ? Framework::pytorch : Framework::plimsoll;
  const auto framework = framework_named(name);
  if (!framework)
    return user_error(
        fmt::format("--framework is {}, expected plimsoll, pytorch or tensorflow", plimsoll::quoted(name)));
  return *framework;
}

}  // namespace plimsoll
