// Numbers as people type them, with an Error that says which flag, what was found and what was expected.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

inline constexpr int64_t kLargestBatch = 1'000'000'000;

Result<int64_t> parse_integer(const std::string& flag, const std::string& text, int64_t smallest, int64_t largest);

// "90s", "2.5h", "30min", "1d": a number and a unit.
Result<Seconds> parse_time(const std::string& flag, const std::string& text);

std::vector<std::string> split(const std::string& text, char separator);

}  // namespace plimsoll
