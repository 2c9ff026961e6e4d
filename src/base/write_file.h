// Writes a whole file or nothing: beside its place, flushed, then renamed over what was there.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

// Whether `path` can be the name of a file that we write: not a folder, a device or a FIFO.
Status check_can_replace(const std::string& path);

Status write_whole_file(const std::string& path, std::string_view text);

}  // namespace plimsoll
