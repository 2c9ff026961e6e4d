// Measures a device that libtorch drives (cuda:N, torch:cpu): products by format, copies on it and to it, what a call
// costs, what libraries hold on it. Takes some seconds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plan/devices/device.h"
#include "run/exec/compute_format.h"

namespace plimsoll {

struct MeasuredProduct {
  ComputeFormat::Numbers format;
  FlopsPerSecond rate;
};

struct DeviceProbe {
  std::string date;
  bool quick = false;
  RunDevice device;
  std::string torch;                      // its version
  int threads = 1;                        // of torch:cpu
  std::vector<MeasuredProduct> products;  // of square matrices with so many rows
  int64_t rows = 0;
  BytesPerSecond copy;  // of so many bytes on the device; reads and writes together
  Bytes copied;
  BytesPerSecond to_device, to_host;
  Seconds call;
  std::optional<Bytes> context;  // of a GPU
  Device described;              // what is known of it without measuring
};

using ProbeProgress = std::function<void(std::string_view)>;

Result<DeviceProbe> measure_device(const RunDevice& device, bool quick, const ProbeProgress& progress);

// In the form that is kept: a device file named after the run's device.
Device probed_device(const DeviceProbe& probe);

}  // namespace plimsoll
