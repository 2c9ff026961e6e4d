// The layers of a Weight in the order and grouping a view asks for: what every drawing starts from.
#pragma once

#include <string_view>
#include <vector>

#include <optional>
#include <string>
#include <vector>

#include "plan/weight/weigh.h"

namespace plimsoll {

// How the layers are listed.
struct WeighView {
  std::string sort;              // one of sort_keys(); empty: in the order they run
  int depth = 0;                 // parts of the name that make a group; 0: every layer
  int64_t top = 0;               // only the first rows; 0: all
  std::optional<int64_t> units;  // adds the rounds on so many units
};

const std::vector<std::string>& sort_keys();

std::vector<LayerWeight> layer_rows(const Weight& weight, const WeighView& view);

std::string_view certainty_name(Certainty certainty);  // "exact", "at most" …

}  // namespace plimsoll
