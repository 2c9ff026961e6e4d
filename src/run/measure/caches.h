// Cores and caches of this machine, as hwloc sees them.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

struct Caches {
  Count cores;                  // that this process may use
  std::optional<Bytes> l1, l2;  // data, of one core
  std::optional<Bytes> l3;      // of all together
};

Result<Caches> read_caches();

}  // namespace plimsoll
