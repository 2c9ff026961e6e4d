// norm-slices: batch norms write their results into the whole that a concat along the channels would copy them to, and
// their backward passes read their part of its gradient, where a split would have cut it out. In training; where every
// piece of the concat comes from a norm.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many operations are gone.
int64_t norm_slices(Program& program);

}  // namespace plimsoll
