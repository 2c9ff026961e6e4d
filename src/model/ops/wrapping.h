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

// Integers only: by 0 gives 0, and the most negative number by -1 stays as it is.
template <std::integral T>
T wrapping_divide(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return wrapping_subtract(T(0), a);
  return T(a / b);
}

}  // namespace plimsoll
