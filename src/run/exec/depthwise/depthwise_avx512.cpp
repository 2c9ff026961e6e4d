#include "run/exec/depthwise/depthwise_loops.h"

#if defined(__AVX512F__)
#include "run/exec/depthwise/choose_loops.h"

namespace plimsoll {

const DepthwiseLoops& depthwise_avx512() { return kDepthwiseLoops; }

}  // namespace plimsoll
#endif
