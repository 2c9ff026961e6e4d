#include "run/exec/winograd/winograd_loops.h"

#if defined(__AVX2__)
#include "run/exec/winograd/winograd_domain.h"

namespace plimsoll {

const WinogradLoops& winograd_avx2() { return kWinogradLoops; }

}  // namespace plimsoll
#endif
