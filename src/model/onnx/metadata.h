// The texts that an .onnx file carries beside its graph (metadata_props), by key. The graph is skipped, not read.
#pragma once

#include <map>
#include <string>

#include "base/result.h"

namespace plimsoll {

using Metadata = std::map<std::string, std::string>;

Result<Metadata> onnx_metadata(const std::string& path);

}  // namespace plimsoll
