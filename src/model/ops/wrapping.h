// Integer arithmetic that wraps instead of being undefined: a hostile constant may reach it.
#pragma once

#include <concepts>
#include <type_traits>

namespace plimsoll {

template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::integral<T>) return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
  else return a + b;
}

template <class T>
T wrapping_subtract(T a, T b) {
  if constexpr (std::integral<T>) return T(std::make_unsigned_t<T>(a) - std::make_unsigned_t<T>(b));
  else return a - b;
}

template <class T>
T wrapping_multiply(T a, T b) {
  if constexpr (std::integral<T>) return T(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
  else return a * b;
}

}  // namespace plimsoll
