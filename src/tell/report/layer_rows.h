// The layers of a Weight in the order and grouping a view asks for: what every drawing starts from.
#pragma once

#include <string_view>
#include <vector>

#include "tell/report/weigh_report.h"

namespace plimsoll {

std::vector<LayerWeight> layer_rows(const Weight& weight, const WeighView& view);

std::string_view certainty_name(Certainty certainty);  // "exact", "at most" …

}  // namespace plimsoll
