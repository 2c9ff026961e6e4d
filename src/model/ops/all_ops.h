// The list of all operations. A new one is a file in this folder and a line in all_ops.cpp.
#pragma once

#include <span>
#include <string_view>

#include "model/ir/op.h"

namespace plimsoll {

std::span<const Op* const> all_ops();

const Op* find_op(std::string_view name);            // "conv"; nullptr when there is none
const Op* find_onnx_op(std::string_view onnx_name);  // "Conv", "com.microsoft:Gelu"

// The op of that name, which must exist: for code that names ops itself.
const Op& op_named(std::string_view name);

}  // namespace plimsoll
