// recognise: what a file that is not ONNX probably is, and what to do about it.
#pragma once

#include <optional>

#include "base/byte_source.h"

namespace plimsoll {

// Asked only once a file has failed to read as ONNX; nullopt when nothing better is known.
std::optional<Error> recognise(const ByteSource& source);

}  // namespace plimsoll
