#include "run/exec/depthwise/depthwise.h"

#include "base/check.h"
#include "run/exec/depthwise/depthwise_loops.h"
#include "run/exec/tiled_conv/tiled_conv.h"

namespace plimsoll {

const DepthwiseLoops& depthwise_loops() {
  PLIM_CHECK(tiled_conv_block() != 0, "a depthwise convolution on a machine that has no kernels for it");
#if defined(__x86_64__)
  return tiled_conv_block() == 16 ? depthwise_avx512() : depthwise_avx2();
#else
  static constexpr DepthwiseLoops kNone{};
  return kNone;
#endif
}

}  // namespace plimsoll
