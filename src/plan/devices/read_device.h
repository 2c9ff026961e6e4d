// A device file → Device. The file may be a stranger's: each mistake is one line with the field, what was
// found and what was expected. catalog/README.md describes the format.
#pragma once

#include <string_view>

#include "base/result.h"
#include "plan/devices/device.h"

namespace plimsoll {

inline constexpr int64_t kLargestDeviceFile = 1 << 20;

// A file of the catalog says where each number is from, and when. One's own need not: its numbers may be text with
// their unit ("24GiB"), and title, vendor, sources and dates may be left out.
enum class DeviceFile { catalog, own };

Result<Device> read_device(std::string_view json, DeviceFile file = DeviceFile::catalog);

// One's own; the path is in the error. Without a name it is called as the file is.
Result<Device> read_device_file(const std::string& path);

}  // namespace plimsoll
