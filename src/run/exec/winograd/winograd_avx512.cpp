#include "run/exec/winograd/winograd_loops.h"

#if defined(__AVX512F__)
#include "run/exec/winograd/winograd_domain.h"

namespace plimsoll {

const WinogradLoops& winograd_avx512() { return kWinogradLoops; }

}  // namespace plimsoll
#endif
