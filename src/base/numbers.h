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

// A finite number of at least `smallest` (or above it, when `above`) and at most `largest`.
enum class Edge { included, above };
Result<double> parse_number(const std::string& flag, const std::string& text, double smallest, Edge edge,
                            double largest);

// "8GB" is 8·10⁹ bytes, "8GiB" is 8·2³⁰: a number above 0 and its unit. A number alone is a mistake whose message says
// what either would be.
Result<Bytes> parse_bytes(const std::string& flag, const std::string& text);

// "550MB/s", "3.5GB/s", "2GiB/s": above 0.
Result<BytesPerSecond> parse_rate(const std::string& flag, const std::string& text);

std::vector<std::string> split(const std::string& text, char separator);

}  // namespace plimsoll
