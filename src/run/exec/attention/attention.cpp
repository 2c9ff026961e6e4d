#include "run/exec/attention/attention.h"

#include "base/check.h"
#include "run/exec/attention/attention_loops.h"
#include "run/exec/tiled_conv/tiled_conv.h"

namespace plimsoll {

const AttentionLoops& attention_loops() {
  PLIM_CHECK(tiled_conv_block() != 0, "attention in tiles on a machine that has no kernels for it");
#if defined(__x86_64__)
  return tiled_conv_block() == 16 ? attention_avx512() : attention_avx2();
#else
  static constexpr AttentionLoops kNone{};
  return kNone;
#endif
}

}  // namespace plimsoll
