// Conversions between number types with an answer for every number: C++ leaves a float outside the
// integer's range undefined, and a hostile constant may hold one.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace plimsoll {

// Floats to integers are cut towards 0 and kept within the range, not-a-number is 0. Integers to
// narrower ones wrap, and anything but 0 is true.
template <class To, class From>
To convert_number(From x) {
  if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // 2^digits is exact in every float type, unlike the integer's largest number itself.
    const From above = std::ldexp(From(1), std::numeric_limits<To>::digits);
    if (std::isnan(x)) return To(0);
    if (x >= above) return std::numeric_limits<To>::max();
    if (x < From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    return To(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace plimsoll
