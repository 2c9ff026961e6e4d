// Whether a library's file is all there. The system's loader does not ask: it ends the program at what is missing of
// one whose download has stopped.
#pragma once

#include <string>

namespace plimsoll {

// False only where the file says itself that it is longer.
bool is_whole_library(const std::string& file);

}  // namespace plimsoll
