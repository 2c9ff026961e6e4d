// Runs a program of the system (apt-get, npm, dpkg, tar) and waits for it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll {

// In `folder`; what it prints goes into the file `out`, or nowhere when that is empty. An error says which program
// failed, how, and the last line that it wrote to standard error.
Status run_tool(const std::vector<std::string>& words, const std::string& folder, const std::string& out = {});

}  // namespace plimsoll
