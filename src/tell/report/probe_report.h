// What `plimsoll probe` found out, as text.
#pragma once

#include <string>

#include "run/measure/device_probe.h"
#include "run/measure/probe.h"

namespace plimsoll {

std::string probe_text(const Probe& probe);
std::string probe_text(const DeviceProbe& probe);

}  // namespace plimsoll
