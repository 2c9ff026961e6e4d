// promote_types: operations that take numbers of one type only (concat, scatter …) get them. Binding in mixed
// precision leaves parameters in 32 bits beside activations in 16; where they meet in such an operation, the narrower
// are cast to the widest, as autocast does, and so is the result.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// The number of casts. Runs on the forward pass, before its backward pass is written.
int64_t promote_types(Program& program);

// A cast of the value to that type, to be appended by the caller; its output is the program's new value.
Operation cast_to(Program& program, ValueId value, DType type);

}  // namespace plimsoll
