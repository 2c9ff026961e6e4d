#include "run/exec/tiled_conv/tiled_conv.h"

#include <oneapi/dnnl/dnnl.hpp>

namespace plimsoll {

// What oneDNN runs on, so that blocks of channels are the same: it may have been told to use less than there is.
int64_t tiled_conv_block() {
#if defined(__x86_64__)
  const auto isa = dnnl::get_effective_cpu_isa();
  if (isa >= dnnl::cpu_isa::avx512_core && isa != dnnl::cpu_isa::all) return 16;
  if (isa >= dnnl::cpu_isa::avx2) return 8;
#endif
  return 0;
}

}  // namespace plimsoll
