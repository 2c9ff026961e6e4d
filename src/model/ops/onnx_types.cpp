#include "model/ops/onnx_types.h"

#include <fmt/format.h>

namespace plimsoll {

Result<DType> dtype_of_onnx(int64_t number) {
  switch (number) {
    case 1: return DType::f32;
    case 2: return DType::u8;
    case 3: return DType::i8;
    case 4: return DType::u16;
    case 5: return DType::i16;
    case 6: return DType::i32;
    case 7: return DType::i64;
    case 8: return DType::string;
    case 9: return DType::boolean;
    case 10: return DType::f16;
    case 11: return DType::f64;
    case 12: return DType::u32;
    case 13: return DType::u64;
    case 14: return DType::complex64;
    case 15: return DType::complex128;
    case 16: return DType::bf16;
    case 17:
    case 18: return DType::f8e4m3;  // 18 and 20 are variants without infinity and negative 0
    case 19:
    case 20: return DType::f8e5m2;
    case 21: return DType::u4;
    case 22: return DType::i4;
    case 23: return DType::f4e2m1;
    case 24: return DType::f8e5m2;  // powers of two, for scales of blocks: eight bits as well
    default: return user_error(fmt::format("{} is not a number type of ONNX that is known here (1 to 24)", number));
  }
}

int64_t onnx_of_dtype(DType dtype) {
  for (int64_t number = 1; number <= 23; ++number)
    if (const auto known = dtype_of_onnx(number); known.ok() && *known == dtype) return number;
  return 0;
}

}  // namespace plimsoll
