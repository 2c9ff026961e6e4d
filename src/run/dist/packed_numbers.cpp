#include "run/dist/packed_numbers.h"

#include <algorithm>
#include <cmath>

#include "base/half.h"
#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

constexpr int kLargestPower = 126;  // whose inverse is a usual f32 too

PLIM_CLONES float largest_of(const float* x, int64_t count) {
  float most = 0;
#pragma omp simd reduction(max : most)
  for (int64_t i = 0; i < count; ++i) most = std::max(most, std::abs(x[i]));
  return most;
}

#define PLIM_PACKED(name)                                                                                      \
  PLIM_CLONES double pack_##name(const float* x, float factor, float inverse, uint16_t* into, int64_t count) { \
    double changed = 0;                                                                                        \
    _Pragma("omp simd reduction(+ : changed)") for (int64_t i = 0; i < count; ++i) {                           \
      into[i] = to_##name(x[i] * factor);                                                                      \
      const float difference = from_##name(into[i]) * inverse - x[i];                                          \
      changed += double(difference) * double(difference);                                                      \
    }                                                                                                          \
    return changed;                                                                                            \
  }                                                                                                            \
  PLIM_CLONES void unpack_##name(const uint16_t* packed, float inverse, float* into, int64_t count) {          \
    _Pragma("omp simd") for (int64_t i = 0; i < count; ++i) into[i] = from_##name(packed[i]) * inverse;        \
  }                                                                                                            \
  PLIM_CLONES void add_##name(const uint16_t* packed, float inverse, float* into, int64_t count) {             \
    _Pragma("omp simd") for (int64_t i = 0; i < count; ++i) into[i] += from_##name(packed[i]) * inverse;       \
  }

PLIM_PACKED(bf16)
PLIM_PACKED(f16)

float power_of_two(int power) { return std::ldexp(1.0F, power); }

}  // namespace

int16_t packing_power(DType format, std::span<const float> numbers) {
  if (format != DType::f16) return 0;
  const float most = largest_of(numbers.data(), int64_t(numbers.size()));
  if (!std::isfinite(most)) return 0;
  if (most == 0) return kLargestPower;  // whatever the others need
  return int16_t(std::clamp(14 - std::ilogb(most), -kLargestPower, kLargestPower));
}

double pack(DType format, int16_t power, std::span<const float> numbers, uint16_t* into) {
  const auto run = format == DType::f16 ? pack_f16 : pack_bf16;
  return run(numbers.data(), power_of_two(power), power_of_two(-power), into, int64_t(numbers.size()));
}

void unpack(DType format, int16_t power, const uint16_t* packed, std::span<float> into) {
  const auto run = format == DType::f16 ? unpack_f16 : unpack_bf16;
  run(packed, power_of_two(-power), into.data(), int64_t(into.size()));
}

void add_unpacked(DType format, int16_t power, const uint16_t* packed, std::span<float> into) {
  const auto run = format == DType::f16 ? add_f16 : add_bf16;
  run(packed, power_of_two(-power), into.data(), int64_t(into.size()));
}

}  // namespace plimsoll
