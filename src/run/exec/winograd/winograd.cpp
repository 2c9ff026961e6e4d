#include "run/exec/winograd/winograd.h"

#include "base/check.h"
#include "run/exec/winograd/winograd_loops.h"

namespace plimsoll {

const WinogradLoops& winograd_loops() {
  PLIM_CHECK(tiled_conv_block() != 0, "Winograd on a machine that has no kernels for it");
#if defined(__x86_64__)
  return tiled_conv_block() == 16 ? winograd_avx512() : winograd_avx2();
#else
  static constexpr WinogradLoops kNone{};
  return kNone;
#endif
}

}  // namespace plimsoll
