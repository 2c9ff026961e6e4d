// calibrate: a device with the two numbers that a data sheet does not tell, measured on the card itself: the rate of a
// large product and the bandwidth of a large copy. Predictions for PyTorch on GPUs use them in place of what follows
// from the data sheet (plan/time/reachable.h). How to get them from measured steps: plan/verdict/measured_runs.h.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "plan/devices/device.h"

namespace plimsoll {

struct Calibration {
  std::optional<FlopsPerSecond> gemm;       // in `format`
  DType format = DType::f16;                // f16, bf16, tf32 or f32
  std::optional<BytesPerSecond> bandwidth;  // of a copy, bytes read and bytes written together
  std::string source;                       // "measured: torch.matmul of 8192x8192x8192"; becomes the figures' source
  std::string date;                         // 2025-03
};

// Errors: the device is no GPU, neither number is given, or one is more than twice what the data sheet says.
Result<Device> calibrated(Device device, const Calibration& calibration);

}  // namespace plimsoll
