#include "run/measure/caches.h"

#include <hwloc.h>

#include <algorithm>
#include <cstdlib>

namespace plimsoll {
namespace {

// 0 when the system does not tell of such a cache.
int64_t size_of_one(hwloc_topology_t topology, hwloc_obj_type_t type) {
  const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
  return cache ? int64_t(cache->attr->cache.size) : 0;
}

std::optional<Bytes> if_any(int64_t bytes) { return bytes > 0 ? std::optional(Bytes(bytes)) : std::nullopt; }

}  // namespace

Result<Caches> read_caches() {
  setenv("HWLOC_HIDE_ERRORS", "2", 0);  // it would print what it finds odd about a virtual machine
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return environment_error("hwloc could not be started");
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING | HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM);
  if (hwloc_topology_load(topology) != 0) {
    hwloc_topology_destroy(topology);
    return environment_error("hwloc could not read the machine's topology");
  }
  Caches caches;
  const auto number = [&](hwloc_obj_type_t type) { return int64_t{hwloc_get_nbobjs_by_type(topology, type)}; };
  caches.cores = Count(std::max<int64_t>(1, number(HWLOC_OBJ_CORE)));
  caches.l1 = if_any(size_of_one(topology, HWLOC_OBJ_L1CACHE));
  caches.l2 = if_any(size_of_one(topology, HWLOC_OBJ_L2CACHE));
  caches.l3 = if_any(size_of_one(topology, HWLOC_OBJ_L3CACHE) * std::max<int64_t>(1, number(HWLOC_OBJ_L3CACHE)));
  hwloc_topology_destroy(topology);
  return caches;
}

}  // namespace plimsoll
