// Networks of text repeat one block of layers many times over. For a reader the first is enough, and one line that adds
// up those that are the same.
#pragma once

#include <vector>

#include "plan/weight/weigh.h"

namespace plimsoll {

// Rows in the order in which they run; blocks that repeat the one before them are one row: "model.layers.1 … 31".
std::vector<LayerWeight> without_repeats(const std::vector<LayerWeight>& rows);

}  // namespace plimsoll
