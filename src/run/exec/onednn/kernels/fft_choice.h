// Whether a convolution is faster by FFT than directly, on a machine that was not measured.
#pragma once

#include "run/exec/fft/fft.h"

namespace plimsoll {

// Where FFT takes this many times fewer operations it is faster: they run at a lower rate than direct ones.
inline constexpr double kFftGainNeeded = 1.8;
inline constexpr int64_t kFftTapsNeeded = 25;

inline bool fft_is_faster(const TiledConv& conv, int size) {
  return conv.kernel_height * conv.kernel_width >= kFftTapsNeeded && fft_gain(conv, size) >= kFftGainNeeded;
}

}  // namespace plimsoll
