// How many convolutions are computed how, in words and as JSON.
#pragma once

#include <map>
#include <string>

#include "plan/devices/conv_rates.h"
#include "tell/report/json.h"

namespace plimsoll {

// "conv: 14 winograd, 6 direct": every direction of a layer is one; empty when there are none.
std::string conv_text(const std::map<ConvMethod, int64_t>& methods);

Json conv_json(const std::map<ConvMethod, int64_t>& methods);  // {"winograd_4x4": 14, "direct": 6}

}  // namespace plimsoll
