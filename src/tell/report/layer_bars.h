// The layers of a network as bars, one row each, in the order they run: parameters, operations and memory side by side,
// so that one sees at a glance that the one does not predict the other.
#pragma once

#include <string>

#include "plan/weight/weigh.h"

namespace plimsoll {

inline constexpr size_t kMostBars = 40;

// At most kMostBars rows: layers that share the first parts of their names are one, as far as it takes.
std::vector<LayerWeight> layers_for_bars(const Weight& weight);

std::string layer_bars_svg(const Weight& weight);

}  // namespace plimsoll
