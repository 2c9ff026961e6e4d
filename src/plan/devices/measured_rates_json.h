// The fields "conv_rates" and "sweep_rates" of a device file: what was measured of our engine's kernels.
#pragma once

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "plan/devices/conv_rates.h"
#include "plan/devices/memory_bound_rates.h"

namespace plimsoll {

inline constexpr size_t kMostRates = 10'000;  // of a field

nlohmann::ordered_json conv_rates_json(const ConvRates& rates);
nlohmann::ordered_json memory_bound_rates_json(const MemoryBoundRates& rates);

// The file may be a stranger's; the mistake does not name the field. Methods and sweeps of a later version of this
// program are left out.
Result<ConvRates> read_conv_rates(const nlohmann::ordered_json& json);
Result<MemoryBoundRates> read_memory_bound_rates(const nlohmann::ordered_json& json);

}  // namespace plimsoll
