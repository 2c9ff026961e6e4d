// scan_model: walks an ONNX file's wire format once, forward, and copies everything but the weights.
//
// Every number, length and nesting is checked against what is really there, so that a truncated or
// damaged file is an error with its byte offset and never a smaller network. The copy is a valid
// ModelProto in which large tensor contents are replaced by UncopiedData records; its size is bounded,
// as is the memory that parsing it will take.
#pragma once

#include <string>

#include "base/byte_source.h"
#include "model/onnx/import.h"

namespace plimsoll {

constexpr int kDeepestNesting = 200;  // messages inside messages: 64 subgraphs and a little

Result<std::string> scan_model(const ByteSource& source, const ImportLimits& limits);

}  // namespace plimsoll
