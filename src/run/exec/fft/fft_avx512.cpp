#include "run/exec/fft/fft_loops.h"

#if defined(__AVX512F__)
#include "run/exec/fft/fft_domain.h"

namespace plimsoll {

const FftLoops& fft_avx512() { return kFftLoops; }

}  // namespace plimsoll
#endif
