// Adding up numbers of several workers so that each has the sum, and how long that takes with nothing else going on.
//
// ring: 2(n-1) rounds, in each of which every worker passes on an n-th of the bytes: the links are used in full, but
// the rounds grow with the workers. tree: up and down two binary trees, half of the bytes over each: few rounds, more
// bytes. levels: a ring within each node, then a ring or tree between nodes, of which each sends its bytes once.
// Libraries choose by size; so do we.
#pragma once

#include <string_view>

#include "plan/time/link.h"

namespace plimsoll {

// How workers are connected. With one of them on each node there is only `between`.
struct Wiring {
  int64_t per_node = 1;
  Link inside, between;

  int64_t nodes(int64_t workers) const { return (workers + per_node - 1) / per_node; }
};

enum class AllReduceWay { none, ring, tree, levels };

std::string_view name_of(AllReduceWay way);

struct AllReduce {
  Seconds time;
  AllReduceWay way = AllReduceWay::none;  // none: there is one worker, or nothing to add up
};

Seconds ring_all_reduce(Bytes bytes, int64_t workers, const Link& link);
Seconds tree_all_reduce(Bytes bytes, int64_t workers, const Link& link);

// The quickest way.
AllReduce all_reduce(Bytes bytes, int64_t workers, const Wiring& wiring);

}  // namespace plimsoll
