#include "run/exec/depthwise/loops_table.h"

#if defined(__AVX512F__)
#include "run/exec/depthwise/choose_loops.h"

namespace plimsoll {

const DepthwiseLoops& depthwise_avx512() { return kDepthwiseLoops; }

}  // namespace plimsoll
#endif
