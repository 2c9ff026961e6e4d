// Devices as people read them: the whole catalog in a table, or one device with every figure's source.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "plan/devices/device.h"
#include "tell/report/table.h"

namespace plimsoll {

Result<Table> devices_table(std::span<const Device> devices);
Table figures_table(const Device& device);

// What stands above figures_table: title, names, parts, notes.
std::string device_heading(const Device& device);

}  // namespace plimsoll
