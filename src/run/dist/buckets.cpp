#include "run/dist/buckets.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

std::vector<Bucket> make_buckets(const Lowered& step, const MemoryPlan& plan, Bytes size) {
  std::vector<Bucket> buckets;
  bool open = false;
  for (const auto& result : step_results(step.program, plan)) {
    const Bytes bytes = step.rules().storage(step.program, result.value);
    // What is large enough by itself travels from where it lies, without being copied.
    if (!open || bytes >= size || buckets.back().gradients() != result.gradient) buckets.emplace_back();
    Bucket& bucket = buckets.back();
    bucket.results.push_back(result);
    bucket.bytes += bytes;
    bucket.ready_at = std::max(bucket.ready_at, result.final_at);
    open = bucket.bytes < size;
  }
  return buckets;
}

Bytes bucket_size(const LinkSpeed& speed, DType wire) {
  constexpr double kLatencyShare = 0.05;
  const double share = double(info(wire).bits) / double(info(DType::f32).bits);
  const double bytes = speed.latency * speed.bytes_per_second / kLatencyShare / share;
  int64_t size = kSmallestBucket;  // a power of two, so that small differences between two measurements change nothing
  while (double(size) < bytes && size < kLargestBucket) size *= 2;
  return Bytes(size);
}

}  // namespace plimsoll
