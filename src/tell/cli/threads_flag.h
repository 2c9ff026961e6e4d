// --threads: how many threads a step runs on.
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

const char* threads_help();

// Without a flag: one for each core that this process may use, cgroup limits respected.
Result<int> read_threads(const std::string& flag);

}  // namespace plimsoll
