// calibrate: a device with the two numbers that a data sheet does not tell, measured on the machine itself: the rate of
// a large product and the bandwidth of a large copy. Predictions for PyTorch use them in place of what follows from the
// data sheet (plan/time/reachable.h, plan/time/torch_cpu_time.h). How to get them from measured steps:
// plan/verdict/measured_runs.h.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "plan/devices/device.h"

namespace plimsoll {

inline constexpr std::string_view kCalibrationSource = "calibration";  // the source of both figures

struct Calibration {
  std::optional<FlopsPerSecond> gemm;       // in `format`
  DType format = DType::f16;                // f16, bf16, tf32 or f32
  std::optional<BytesPerSecond> bandwidth;  // of a copy, bytes read and bytes written together
  std::string source;                       // "torch.matmul of 8192x8192x8192"; becomes the figures' source
  std::string date;                         // 2025-03
};

// The format that products are best measured in: f16 where a device has matrix units for it, else f32.
DType product_format(const Device& device);

// Errors: the device is a node or an instance, neither number is given, or one is far from what the data sheet says.
Result<Device> calibrated(Device device, const Calibration& calibration);

}  // namespace plimsoll
