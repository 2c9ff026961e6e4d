// Picks the C++ type for a number format: for_type(dtype, [&](auto zero) { using T = decltype(zero); … }).
// Each returns false, having done nothing, when reference maths has no such type (f16, i4, string …).
#pragma once

#include "base/dtype.h"

namespace plimsoll {

template <class F>
bool for_float(DType type, F&& f) {
  switch (type) {
    case DType::f32:
    case DType::tf32: f(float{}); return true;
    case DType::f64: f(double{}); return true;
    default: return false;
  }
}

template <class F>
bool for_integer(DType type, F&& f) {
  switch (type) {
    case DType::i64: f(int64_t{}); return true;
    case DType::i32: f(int32_t{}); return true;
    case DType::i16: f(int16_t{}); return true;
    case DType::i8: f(int8_t{}); return true;
    case DType::u64: f(uint64_t{}); return true;
    case DType::u32: f(uint32_t{}); return true;
    case DType::u16: f(uint16_t{}); return true;
    case DType::u8: f(uint8_t{}); return true;
    default: return false;
  }
}

// Floating and integer types.
template <class F>
bool for_number(DType type, F&& f) {
  return for_float(type, f) || for_integer(type, f);
}

// Numbers and bool.
template <class F>
bool for_type(DType type, F&& f) {
  if (type != DType::boolean) return for_number(type, f);
  f(bool{});
  return true;
}

}  // namespace plimsoll
