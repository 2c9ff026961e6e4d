// How long NCCL takes to add up or exchange numbers among the devices of one host: a start, a round for each device,
// and the bytes over the link, whose rate is reached gradually. Fitted to measured calls on three kinds of card, held
// to a fourth.
#pragma once

#include "plan/time/link.h"

namespace plimsoll {

enum class Collective : uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all };

// `bytes`: of the whole buffer, as NCCL's own tests count them.
Seconds collective_time(Collective what, double bytes, int64_t devices, const Link& link);

}  // namespace plimsoll
