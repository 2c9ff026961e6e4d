// The memory that a run on this machine may count on: what is asked for, else the machine's, or what its container or
// the process's own limit leaves of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

struct MemoryHere {
  Bytes bytes;
  std::vector<std::string> notes;  // which limits bind, for the user
};

Result<MemoryHere> memory_here(std::optional<Bytes> asked);

}  // namespace plimsoll
