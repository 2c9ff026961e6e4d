// drop_idle_casts: casts to another value's format where both have it already. Exporters write them to be sure; PyTorch
// makes none. A cast to a format by its name stays: in mixed precision it may be one.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// The number of those that were dropped. Exporters write the contiguous copy of a turned tensor as an identity: the
// transpose before it then has the attribute "copied".
int64_t drop_idle_casts(Program& forward);

}  // namespace plimsoll
