// Adding up the gradients of several devices: a ring, in which each device sends and receives 2(n-1)/n of the bytes. It
// overlaps with the backward pass but for its tail, so that scaling is not linear, and the forecast shows it.
#pragma once

#include "base/units.h"

namespace plimsoll {

struct AllReduce {
  Seconds alone;    // if nothing overlapped
  Seconds exposed;  // what a step gets longer by
};

// `link`: of each device, each way. `backward`: the time of the backward pass that it can hide in.
AllReduce all_reduce(Bytes gradients, int64_t devices, BytesPerSecond link, Seconds backward);

}  // namespace plimsoll
