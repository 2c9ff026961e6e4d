// The larger and the smaller of two numbers, where not-a-number wins over any number.
#pragma once

#include <cmath>
#include <type_traits>

namespace plimsoll {

template <class T>
T larger(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a)) return a;
  return a >= b ? a : b;
}

template <class T>
T smaller(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a)) return a;
  return a <= b ? a : b;
}

}  // namespace plimsoll
