// The loops of one instruction set.
#pragma once

#include "run/exec/depthwise/depthwise.h"

namespace plimsoll {

const DepthwiseLoops& depthwise_avx2();
const DepthwiseLoops& depthwise_avx512();

}  // namespace plimsoll
