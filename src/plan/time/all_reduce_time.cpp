#include "plan/time/all_reduce_time.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace plimsoll {
namespace {

constexpr double kTreeShare = 0.9;  // of what a ring reaches: NCCL's own model
constexpr double kChunk = 262144;   // bytes that move up a tree at a time, so that its levels work side by side

AllReduce quicker(const AllReduce& a, const AllReduce& b) { return b.time < a.time ? b : a; }

AllReduce over_one_link(Bytes bytes, int64_t workers, const Link& link) {
  return quicker({ring_all_reduce(bytes, workers, link), AllReduceWay::ring},
                 {tree_all_reduce(bytes, workers, link), AllReduceWay::tree});
}

// One ring through all nodes: its slowest link sets the rate, and each round has the latency of its own link.
Seconds ring_through_nodes(Bytes bytes, int64_t workers, const Wiring& wiring) {
  const auto n = double(workers), nodes = double(wiring.nodes(workers));
  const double rate = std::min(wiring.inside.reached().per_second, wiring.between.reached().per_second);
  const double latency = 2 * (n - nodes) * wiring.inside.latency.value + 2 * (nodes - 1) * wiring.between.latency.value;
  return {latency + 2 * (n - 1) / n * double(bytes.value()) / rate};
}

Seconds by_levels(Bytes bytes, int64_t workers, const Wiring& wiring) {
  const Seconds inside = ring_all_reduce(bytes, wiring.per_node, wiring.inside);
  const Seconds between = over_one_link(bytes, wiring.nodes(workers), wiring.between).time;
  return {inside.value + between.value};
}

}  // namespace

std::string_view name_of(AllReduceWay way) {
  switch (way) {
    case AllReduceWay::none: return "none";
    case AllReduceWay::ring: return "ring";
    case AllReduceWay::tree: return "tree";
    case AllReduceWay::levels: return "levels";
  }
  return "";
}

Seconds ring_all_reduce(Bytes bytes, int64_t workers, const Link& link) {
  if (workers < 2) return {};
  const auto n = double(workers);
  return {2 * (n - 1) * link.latency.value + 2 * (n - 1) / n * double(bytes.value()) / link.reached().per_second};
}

Seconds tree_all_reduce(Bytes bytes, int64_t workers, const Link& link) {
  if (workers < 2) return {};
  const auto all = double(bytes.value()), chunk = std::min(all, kChunk);
  const double rate = link.reached().per_second, levels = std::bit_width(uint64_t(workers - 1));
  return {2 * levels * (link.latency.value + chunk / rate) + 2 * (all - chunk) / (kTreeShare * rate)};
}

AllReduce all_reduce(Bytes bytes, int64_t workers, const Wiring& wiring) {
  if (workers < 2 || bytes.value() <= 0) return {};
  if (wiring.per_node == 1) return over_one_link(bytes, workers, wiring.between);
  if (workers <= wiring.per_node) return over_one_link(bytes, workers, wiring.inside);
  return quicker({by_levels(bytes, workers, wiring), AllReduceWay::levels},
                 {ring_through_nodes(bytes, workers, wiring), AllReduceWay::ring});
}

}  // namespace plimsoll
