// A device file → Device. The file may be a stranger's: each mistake is one line with the field, what was
// found and what was expected. catalog/README.md describes the format.
#pragma once

#include <string_view>

#include "base/result.h"
#include "plan/devices/device.h"

namespace plimsoll {

inline constexpr int64_t kLargestDeviceFile = 1 << 20;

Result<Device> read_device(std::string_view json);

// The same from a file; the path is in the error.
Result<Device> read_device_file(const std::string& path);

}  // namespace plimsoll
