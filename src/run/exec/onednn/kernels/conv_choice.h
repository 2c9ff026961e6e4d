// Which method computes a convolution in one direction: by what was measured on this machine, else by a rule of thumb.
#pragma once

#include "plan/devices/conv_rates.h"
#include "run/exec/engine_options.h"
#include "run/exec/tiled_conv/tiled_conv.h"

namespace plimsoll {

// Of a convolution that Winograd's transforms can compute.
ConvMethod choose_winograd(const EngineOptions& engine, ConvDirection direction, const TiledConv& conv);

// Whether one that Fourier transforms of that size can compute is to be computed so.
bool choose_fft(const EngineOptions& engine, ConvDirection direction, const TiledConv& conv, int size);

}  // namespace plimsoll
