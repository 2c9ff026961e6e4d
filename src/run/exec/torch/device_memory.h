// Memory of the device that torch was opened for.
#pragma once

#include "run/exec/planned_memory.h"
#include "run/exec/run_device.h"

namespace plimsoll {

const DeviceMemory& device_memory(const RunDevice& device);

}  // namespace plimsoll
