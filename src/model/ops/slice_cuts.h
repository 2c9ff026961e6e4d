// What a slice keeps of each axis, for its maths here and for kernels elsewhere.
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

// Places start, start + step … of an axis, `count` of them.
struct SliceCut {
  int64_t start = 0, step = 1, count = 0;
};

// One for each axis of input 0; the call is a slice's.
Result<std::vector<SliceCut>> slice_cuts(const OpCall& call);

}  // namespace plimsoll
