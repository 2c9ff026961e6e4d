// The loops of one instruction set.
#pragma once

#include "run/exec/fft/fft.h"

namespace plimsoll {

using FftLoops = TiledLoops<FftConv>;

const FftLoops& fft_avx2();
const FftLoops& fft_avx512();

}  // namespace plimsoll
