// Numbers of 16 bits as bits: bf16, which is the upper half of an f32, and IEEE's f16. Rounded to the nearest, ties to
// the even one; what is too large becomes infinite, and NaN stays NaN. Without branches, so that loops become vectors.
#pragma once

#include <bit>
#include <cstdint>

namespace plimsoll {

inline float from_bf16(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

inline uint16_t to_bf16(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  const uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16, nan = bits >> 16 | 0x40;
  return uint16_t((bits & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded);
}

inline float from_f16(uint16_t bits) {
  const uint32_t size = bits & 0x7FFF, sign = uint32_t(bits & 0x8000) << 16;
  const uint32_t usual = (size << 13) + (112U << 23), infinite = (size << 13) + (224U << 23);
  const auto small = std::bit_cast<uint32_t>(float(int32_t(size)) * 0x1p-24F);
  const uint32_t wide = size < 0x400 ? small : size < 0x7C00 ? usual : infinite;
  return std::bit_cast<float>(wide | sign);
}

inline uint16_t to_f16(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  const uint32_t size = bits & 0x7FFFFFFF, sign = bits >> 16 & 0x8000;
  const uint32_t usual = (size - (112U << 23) + 0xFFF + (size >> 13 & 1)) >> 13;
  // The last bit of 0.5 is worth the smallest f16, so the addition rounds as f16 does.
  const uint32_t small = std::bit_cast<uint32_t>(std::bit_cast<float>(size) + 0.5F) - std::bit_cast<uint32_t>(0.5F);
  uint32_t half = size < (113U << 23) ? small : usual;
  half = size >= 0x477FF000 ? 0x7C00 : half;  // from 65,520 on
  half = size > 0x7F800000 ? 0x7E00 : half;
  return uint16_t(half | sign);
}

}  // namespace plimsoll
