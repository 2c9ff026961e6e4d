#include "run/dist/buckets.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

std::vector<Bucket> make_buckets(const Executor& step, Bytes size) {
  std::vector<Bucket> buckets;
  bool open = false;
  for (const auto& result : step_results(step.program(), step.plan())) {
    const auto bytes = Bytes(int64_t(step.storage(result.value).size()));
    // What is large enough by itself travels from where it lies, without being copied.
    if (!open || bytes >= size) buckets.emplace_back();
    Bucket& bucket = buckets.back();
    bucket.results.push_back(result);
    bucket.bytes += bytes;
    bucket.ready_at = std::max(bucket.ready_at, result.final_at);
    open = bucket.bytes < size;
  }
  return buckets;
}

Bytes copied_bytes(const std::vector<Bucket>& buckets) {
  Bytes most;
  for (const auto& bucket : buckets)
    if (bucket.results.size() > 1) most = std::max(most, bucket.bytes);
  return most;
}

Bytes bucket_size(const LinkSpeed& speed) {
  constexpr double kLatencyShare = 0.05;
  const double bytes = speed.latency * speed.bytes_per_second / kLatencyShare;
  int64_t size = kSmallestBucket;  // a power of two, so that small differences between two measurements change nothing
  while (double(size) < bytes && size < kLargestBucket) size *= 2;
  return Bytes(size);
}

}  // namespace plimsoll
