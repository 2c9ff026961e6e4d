// device_check: a step on a device, looked at: every operation beside the reference maths on the same numbers, and the
// memory plan beside what was taken. Its report is one file that a user can send to us.
#pragma once

#include "base/rows/json.h"
#include "run/bench/bench_step.h"

namespace plimsoll {

Result<Json> device_check(const BenchCase& bench);

}  // namespace plimsoll
