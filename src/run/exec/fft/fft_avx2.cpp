#include "run/exec/fft/fft_loops.h"

#if defined(__AVX2__)
#include "run/exec/fft/fft_domain.h"

namespace plimsoll {

const FftLoops& fft_avx2() { return kFftLoops; }

}  // namespace plimsoll
#endif
