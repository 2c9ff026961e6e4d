// Whether a convolution is faster by FFT than directly, on a machine that was not measured.
#pragma once

#include "run/exec/fft/fft.h"

namespace plimsoll {

// Where FFT should take this many times fewer operations it is taken: 5x5 layers of AlexNet and GoogLeNet that gain
// more were measured as fast as direct to 3 times as fast, those that gain less also slower.
inline constexpr double kFftGainNeeded = 1.4;
inline constexpr int64_t kFftTapsNeeded = 25;

inline bool fft_is_faster(const TiledConv& conv, int size) {
  return conv.kernel_height * conv.kernel_width >= kFftTapsNeeded && fft_gain(conv, size) >= kFftGainNeeded;
}

}  // namespace plimsoll
