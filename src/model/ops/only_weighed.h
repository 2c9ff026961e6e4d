// Operations that are weighed and planned but have no maths here: written by an optimizer for one processor, or fitted
// by another program.
#pragma once

#include "model/ir/backward.h"

namespace plimsoll {

// Their gradient rule.
void decline_only_weighed(Backward& backward);

}  // namespace plimsoll
