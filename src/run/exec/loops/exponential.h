// e^x in single precision, written so that a loop around it becomes vectors; good to about two units in the last place.
// Below -87 it stays at the smallest normal number; what is not a number stays so.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace plimsoll {

inline float exponential(float x) {
  x = std::min(std::max(x, -87.0F), 88.0F);
  // x = n · log 2 + r; adding this rounds to whole numbers and leaves n in the lowest bits
  constexpr float kRounds = 12582912.0F;
  const float shifted = x * 1.44269504F + kRounds, n = shifted - kRounds;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float sum = 1.9875691500e-4F;
  sum = sum * r + 1.3981999507e-3F;
  sum = sum * r + 8.3334519073e-3F;
  sum = sum * r + 4.1665795894e-2F;
  sum = sum * r + 1.6666665459e-1F;
  sum = sum * r + 5.0000001201e-1F;
  sum = sum * r * r + r + 1.0F;
  return sum * std::bit_cast<float>((std::bit_cast<uint32_t>(shifted) + 127U) << 23U);
}

}  // namespace plimsoll
