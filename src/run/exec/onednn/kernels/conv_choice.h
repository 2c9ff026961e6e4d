// Which method computes a convolution in one direction: by what was measured on this machine, else by a rule of thumb.
#pragma once

#include "plan/devices/conv_rates.h"
#include "run/exec/engine_options.h"

namespace plimsoll {

// `layer` is one that transforms can compute.
ConvMethod choose_method(const EngineOptions& engine, ConvDirection direction, const ConvLayer& layer);

}  // namespace plimsoll
