#include "run/dist/share_cores.h"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cstdlib>

#include "plan/devices/this_machine.h"

namespace plimsoll {
namespace {

// The cores that this process may use, neighbours beside each other.
class Topology {
 public:
  Topology() {
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
    if (hwloc_topology_init(&topology_) != 0) return;
    hwloc_topology_set_flags(topology_, HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING | HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM);
    loaded_ = hwloc_topology_load(topology_) == 0;
  }
  ~Topology() {
    if (topology_) hwloc_topology_destroy(topology_);
  }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  int cores() const { return loaded_ ? std::max(0, hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_CORE)) : 0; }

  std::string allowed() const {
    if (!loaded_) return "";
    char text[4096] = {};
    hwloc_bitmap_snprintf(text, sizeof text, hwloc_topology_get_allowed_cpuset(topology_));
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology_, bound, HWLOC_CPUBIND_PROCESS) == 0)
      hwloc_bitmap_snprintf(text, sizeof text, bound);
    hwloc_bitmap_free(bound);
    return text;
  }

  void bind(Range range) {
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    for (int i = range.from; i < range.to; ++i)
      hwloc_bitmap_or(set, set, hwloc_get_obj_by_type(topology_, HWLOC_OBJ_CORE, unsigned(i))->cpuset);
    hwloc_set_cpubind(topology_, set, HWLOC_CPUBIND_PROCESS);  // where it is not allowed, the system places us
    hwloc_bitmap_free(set);
  }

 private:
  hwloc_topology_t topology_ = nullptr;
  bool loaded_ = false;
};

}  // namespace

double turns_of(int cores, int workers) { return std::max(1.0, double(workers) / cores); }

Range share_of(int cores, int workers, int number) {
  if (cores < workers) return {0, cores};
  return {int(int64_t{cores} * number / workers), int(int64_t{cores} * (number + 1) / workers)};
}

CoreShare share_cores(Communicator& communicator) {
  CoreShare share;
  const int granted = int(std::max<int64_t>(read_this_machine().cores().value(), 1));  // the container's quota counts
  Topology topology;
  const std::string mine = communicator.host() + "\n" + topology.allowed();
  const auto all = communicator.gather(mine);
  bool bound_already = false;
  share.local_workers = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].substr(0, all[i].find('\n')) != communicator.host()) continue;
    ++share.local_workers;
    if (int(i) < communicator.rank()) ++share.local_number;
    bound_already = bound_already || all[i] != mine;
  }
  if (bound_already) {
    share.threads = granted;
    return share;
  }
  const int workers = share.local_workers, cores = topology.cores();
  share.threads = std::max(granted / workers, 1);
  share.turns = turns_of(granted, workers);
  if (workers > granted)
    share.note = fmt::format("{} has {} workers on {} core{}: they take turns.", communicator.host(), workers, granted,
                             granted == 1 ? "" : "s");
  if (cores >= workers && workers > 1) {
    const Range range = share_of(cores, workers, share.local_number);
    topology.bind(range);
    share.threads = std::max(std::min(share.threads, range.to - range.from), 1);
  }
  return share;
}

}  // namespace plimsoll
