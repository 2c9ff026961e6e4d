// A file without a name: its space is free again when it is closed, whatever happens.
#pragma once

#include <string>

#include "base/byte_source.h"

namespace plimsoll {

// Where the file system cannot make one, a name is taken away at once. `hint`: what helps when `folder` cannot be
// written to.
Result<FileHandle> nameless_file(const std::string& folder, const std::string& hint);

}  // namespace plimsoll
