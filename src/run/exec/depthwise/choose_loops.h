// The table of loops of the instruction set that the including file is compiled for. Kernels of the usual widths have
// loops of their own.
#pragma once

#include "run/exec/depthwise/depthwise_forward.h"
#include "run/exec/depthwise/grad_data.h"
#include "run/exec/depthwise/grad_weights.h"

namespace plimsoll {
namespace {

template <template <int, int> class Loops, int taps, class... Arguments>
void run_stride(const DepthwiseConv& conv, Arguments... arguments) {
  conv.stride_along == 1 ? Loops<taps, 1>::run(conv, arguments...) : Loops<taps, 2>::run(conv, arguments...);
}

template <template <int, int> class Loops, class... Arguments>
void run_depthwise(const DepthwiseConv& conv, Arguments... arguments) {
  switch (conv.kernel_width) {
    case 3: return run_stride<Loops, 3>(conv, arguments...);
    case 5: return run_stride<Loops, 5>(conv, arguments...);
    case 7: return run_stride<Loops, 7>(conv, arguments...);
    case 9: return run_stride<Loops, 9>(conv, arguments...);
    default: return run_stride<Loops, 0>(conv, arguments...);
  }
}

constexpr DepthwiseLoops kDepthwiseLoops{kLanes, run_depthwise<Forward>, run_depthwise<GradData>, gradient_space,
                                         run_depthwise<GradWeights>};

}  // namespace
}  // namespace plimsoll
