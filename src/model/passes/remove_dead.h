// Removes operations whose results nobody uses: neither an output, nor the loss, nor an update, nor another
// operation that stays.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many went. Values keep their ids.
int64_t remove_dead(Program& program);

}  // namespace plimsoll
