// The catalog: every file of catalog/devices, embedded at build time. A file is parsed when its device is
// asked for, not before.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/devices/device.h"

namespace plimsoll {

struct CatalogFile {
  std::string_view name;  // of the device: the file's, without .json
  std::string_view json;
};

std::span<const CatalogFile> all_device_files();  // sorted by name

// All of them, parsed.
Result<std::vector<Device>> all_devices();

// By name or alias; the error has the nearest names.
Result<Device> find_device(const std::string& name);

// A name of the catalog, or the path of a device file: whatever has a '/' or ends in .json; or "this", the
// machine we run on (this_device.h), whose note says what limits it.
Result<Device> load_device(const std::string& name_or_path);

// What does the computing, and how many of it: the GPUs of a node or instance; without any, a CPU by itself.
struct ComputePart {
  Device device;
  int64_t count = 1;
};

Result<ComputePart> compute_part(const Device& device);

// The CPU beside the GPUs, with as many cores as the node or instance has of it; nullopt when the catalog does not say.
Result<std::optional<Device>> host_part(const Device& device);

}  // namespace plimsoll
