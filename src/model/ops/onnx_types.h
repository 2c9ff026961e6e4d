// ONNX's numbers for number formats (TensorProto.DataType), as they stand in attributes such as Cast's `to`.
#pragma once

#include "base/dtype.h"
#include "base/result.h"

namespace plimsoll {

// 1 → f32, 7 → i64 …; an error names the number.
Result<DType> dtype_of_onnx(int64_t number);

// The other way: f32 → 1. 0 for a type that ONNX has no number for.
int64_t onnx_of_dtype(DType dtype);

}  // namespace plimsoll
