// ONNX's numbers for number formats (TensorProto.DataType), as they stand in attributes such as Cast's `to`.
#pragma once

#include "base/dtype.h"
#include "base/result.h"

namespace plimsoll {

// 1 → f32, 7 → i64 …; an error names the number.
Result<DType> dtype_of_onnx(int64_t number);

}  // namespace plimsoll
