// What a step is lowered with: fixed before memory is planned, since kernels and their workspaces depend on it.
#pragma once

#include <memory>

#include "plan/devices/conv_rates.h"
#include "plan/devices/conv_setting.h"
#include "run/exec/compute_format.h"
#include "run/exec/run_device.h"

namespace plimsoll {

struct EngineOptions {
  EngineOptions(int threads, ConvSetting conv = ConvSetting::automatic) : threads(threads), conv(conv) {}

  int threads;
  ConvSetting conv;
  RunDevice device;
  ComputeFormat format;                    // of a device that libtorch drives
  std::shared_ptr<const ConvRates> rates;  // of this machine, to choose by; nullptr: not measured
};

}  // namespace plimsoll
