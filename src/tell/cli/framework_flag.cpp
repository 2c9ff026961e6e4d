#include "tell/cli/framework_flag.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {

Result<Framework> choose_framework(const std::string& name, const std::optional<Device>& device) {
  const bool gpu = device && device->kind == DeviceKind::gpu;
  if (name.empty()) return gpu ? Framework::pytorch : Framework::plimsoll;
  const auto framework = framework_named(name);
  if (!framework)
    return user_error(
        fmt::format("--framework is {}, expected plimsoll, pytorch or tensorflow", plimsoll::in_quotes(name)));
  return *framework;
}

}  // namespace plimsoll
