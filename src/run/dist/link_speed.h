// How fast the workers of this run add up numbers, measured once before the first step. Collective.
#pragma once

#include "run/dist/buckets.h"
#include "run/dist/communicator.h"

namespace plimsoll {

// What rank 0 measures, the same on all ranks.
LinkSpeed measure_link(Communicator& communicator);

}  // namespace plimsoll
