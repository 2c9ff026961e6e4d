// How far off predicted steps of PyTorch on a GPU have been where neither the card nor the family of networks had a
// part in the fit: by generation, number format, mode and kind of network. The table is written by
// tools/fit_gpu_time.py, never typed in.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plan/devices/device.h"
#include "plan/time/execution.h"
#include "plan/time/network_kind.h"

namespace plimsoll {

struct StepAccuracy {
  std::string_view generation, format, mode, kind;  // "any": all of them
  int64_t rows = 0;
  double median_error = 0;   // 0.1: half of the predictions were within 10 % of the measurement
  double low = 1, high = 1;  // eight of ten measurements were between these multiples of the prediction

  // "matrix products in f16 training, any generation": what the figures are of.
  std::string measured() const;
};

std::span<const StepAccuracy> held_out_steps();

// Of this share of a step and more, the host sets the pace, and the host is what is known least.
inline constexpr double kWaitsForHost = 0.3;

// The closest that was measured; nullptr where nothing of the kind was: another framework, a CPU, 64 bits. `waits`: the
// share of the step in which the device waits for the host.
const StepAccuracy* accuracy_of_step(const Device& device, const Execution& execution, bool trains, NetworkKind kind,
                                     double waits);

}  // namespace plimsoll
