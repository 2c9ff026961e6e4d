#include "plan/time/all_reduce.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr double kLinkShare = 0.75;  // of a link's rate that collectives reach with large messages
constexpr double kHidden = 0.7;      // of the backward pass in which gradients are on their way: the first are late
constexpr double kLatency = 20e-6;   // of one round of the ring
constexpr double kBucket = 25e6;     // bytes that are sent together; the last bucket is never hidden

}  // namespace

AllReduce all_reduce(Bytes gradients, int64_t devices, BytesPerSecond link, Seconds backward) {
  if (devices < 2) return {};
  const auto bytes = double(gradients.value());
  const double share = 2 * double(devices - 1) / double(devices);
  const double rate = link.per_second * kLinkShare;
  const double buckets = std::max(1.0, bytes / kBucket);
  const double latency = buckets * 2 * double(devices - 1) * kLatency;
  const double alone = bytes * share / rate + latency;
  const double tail = std::min(bytes, kBucket) * share / rate + 2 * double(devices - 1) * kLatency;
  return {{alone}, {std::max(tail, alone - kHidden * backward.value)}};
}

}  // namespace plimsoll
