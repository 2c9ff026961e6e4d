// The flags that say where: a device of the catalog, a file, this machine, or a size of memory; with which framework
// and how far it may be loaded. Shared by the verbs that ask about a machine.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plan/devices/device.h"
#include "plan/memory/framework_profile.h"

namespace plimsoll {

// A device as it was asked for, and the part of it that computes.
struct ChosenDevice {
  Device whole, part;
  int64_t count = 1;               // of the part
  std::optional<Device> host;      // the CPU beside a GPU, where it is known
  std::vector<std::string> notes;  // limits of this machine
};

Result<ChosenDevice> choose_device(const std::string& name);

// Our own engine computes on CPUs; on a GPU PyTorch is meant unless another is named.
Result<Framework> choose_framework(const std::string& name, const std::optional<Device>& device);

}  // namespace plimsoll
