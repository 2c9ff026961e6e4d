// import_gguf: the header of a .gguf file → Graph, of the family that general.architecture names. Settings are written
// as the config.json that they stand for, so that there is one way to build each family.
#pragma once

#include <string>

#include "base/byte_source.h"
#include "model/hf/import_config.h"

namespace plimsoll {

// The caller adds the path to an error.
Result<Graph> import_gguf(const std::string& path, const ConfigOptions& options = {});
Result<Graph> import_gguf(const ByteSource& source, const ConfigOptions& options = {});

// The format of the weights by the name that it has here, "q4_k_m": as the file says, else that of most of its numbers.
// Empty: none that is known, or no such file.
std::string gguf_weights(const std::string& path);
std::string gguf_weights(const ByteSource& source);

}  // namespace plimsoll
