// --framework: whose memory and time are meant. The same in every verb.
#pragma once

#include <optional>
#include <string>

#include "plan/devices/device.h"
#include "plan/memory/framework_profile.h"

namespace plimsoll {

// Our own engine computes on CPUs; on a GPU PyTorch is meant unless another is named.
Result<Framework> choose_framework(const std::string& name, const std::optional<Device>& device);

}  // namespace plimsoll
