// Whether a convolution is faster by FFT than directly, on a machine that was not measured.
#pragma once

#include "run/exec/fft/fft.h"

namespace plimsoll {

// Where FFT should take this many times fewer operations it is faster: 5x5 layers of AlexNet and GoogLeNet that gain
// more were measured 1.7 to 3 times as fast as direct, those that gain less no faster.
inline constexpr double kFftGainNeeded = 1.4;
inline constexpr int64_t kFftTapsNeeded = 25;

inline bool fft_is_faster(const TiledConv& conv, int size) {
  return conv.kernel_height * conv.kernel_width >= kFftTapsNeeded && fft_gain(conv, size) >= kFftGainNeeded;
}

}  // namespace plimsoll
