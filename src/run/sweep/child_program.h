// A program of ours that runs beside us and may take hours: its messages go where ours go, its answer into a file.
//
// Ctrl-C reaches it by itself, as part of the terminal's group; SIGTERM is passed on to it. Whoever waits ends only
// when it has ended.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll {

// Its exit code, 128 + signal when a signal ended it. words[0] is the program; what it prints goes into the file `out`,
// its messages to /dev/null when `quiet`.
Result<int> run_child_program(const std::vector<std::string>& words, const std::string& out, bool quiet);

}  // namespace plimsoll
