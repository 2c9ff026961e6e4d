// Number formats: every type a tensor can have, one row each in dtype.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/units.h"

namespace plimsoll {

enum class DType : uint8_t {
  f64,
  f32,
  tf32,
  bf16,
  f16,
  f8e4m3,
  f8e5m2,
  i64,
  i32,
  i16,
  i8,
  i4,
  u64,
  u32,
  u16,
  u8,
  u4,
  boolean,
  complex64,
  complex128,
  string,
  f4e2m1,
};

struct DTypeInfo {
  DType type;
  std::string_view name;
  int bits;  // as stored: tf32 is stored as 32 bits, a string has no fixed size (0)
  bool floating;
  std::string_view aka;  // other accepted spellings, comma separated
};

std::span<const DTypeInfo> all_dtypes();
const DTypeInfo& info(DType type);
std::optional<DType> dtype_named(std::string_view name);

inline std::string_view name_of(DType type) { return info(type).name; }
inline bool is_floating(DType type) { return info(type).floating; }

// The bytes of `count` numbers, packed: three i4 take two bytes.
Bytes bytes_of(DType type, Count count);

// The C++ type that holds one number of `type`, for reference maths; see for_type.h.
size_t element_size(DType type);

}  // namespace plimsoll
