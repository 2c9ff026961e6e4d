#include "base/dtype.h"

#include <array>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::array kTypes = {
    DTypeInfo{DType::f64, "f64", 64, true, "float64,double,fp64"},
    DTypeInfo{DType::f32, "f32", 32, true, "float32,float,fp32"},
    DTypeInfo{DType::tf32, "tf32", 32, true, ""},
    DTypeInfo{DType::bf16, "bf16", 16, true, "bfloat16"},
    DTypeInfo{DType::f16, "f16", 16, true, "float16,half,fp16"},
    DTypeInfo{DType::f8e4m3, "f8e4m3", 8, true, "fp8"},
    DTypeInfo{DType::f8e5m2, "f8e5m2", 8, true, ""},
    DTypeInfo{DType::i64, "int64", 64, false, "i64"},
    DTypeInfo{DType::i32, "int32", 32, false, "i32"},
    DTypeInfo{DType::i16, "int16", 16, false, "i16"},
    DTypeInfo{DType::i8, "int8", 8, false, "i8"},
    DTypeInfo{DType::i4, "int4", 4, false, "i4"},
    DTypeInfo{DType::u64, "uint64", 64, false, "u64"},
    DTypeInfo{DType::u32, "uint32", 32, false, "u32"},
    DTypeInfo{DType::u16, "uint16", 16, false, "u16"},
    DTypeInfo{DType::u8, "uint8", 8, false, "u8"},
    DTypeInfo{DType::u4, "uint4", 4, false, "u4"},
    DTypeInfo{DType::boolean, "bool", 8, false, "boolean"},
    DTypeInfo{DType::complex64, "complex64", 64, true, ""},
    DTypeInfo{DType::complex128, "complex128", 128, true, ""},
    DTypeInfo{DType::string, "string", 0, false, ""},
    DTypeInfo{DType::f4e2m1, "f4e2m1", 4, true, "fp4"},
};

bool lists(std::string_view comma_separated, std::string_view name) {
  while (!comma_separated.empty()) {
    const auto end = comma_separated.find(',');
    if (comma_separated.substr(0, end) == name) return true;
    if (end == std::string_view::npos) break;
    comma_separated.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

std::span<const DTypeInfo> all_dtypes() { return kTypes; }

const DTypeInfo& info(DType type) {
  const auto& row = kTypes.at(size_t(type));
  PLIM_CHECK(row.type == type, "the table of number formats is out of order");
  return row;
}

std::optional<DType> dtype_named(std::string_view name) {
  for (const auto& row : kTypes)
    if (row.name == name || lists(row.aka, name)) return row.type;
  return std::nullopt;
}

Bytes bytes_of(DType type, Count count) {
  const int bits = info(type).bits;
  if (bits % 8 == 0) return as<Bytes>(count * (bits / 8));
  return as<Bytes>(count.overflowed() ? count : Count(count.value() / 2 + count.value() % 2));
}

size_t element_size(DType type) { return size_t(info(type).bits + 7) / 8; }

}  // namespace plimsoll
