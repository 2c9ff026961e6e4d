// Buckets: what a step's results travel in from worker to worker. Results are put into buckets in the order in which
// the backward pass finishes them, so the first buckets leave while it still runs; all ranks have the same Program and
// therefore the same buckets, and nobody needs to ask.
#pragma once

#include "plan/memory/lowering.h"
#include "run/exec/step_results.h"

namespace plimsoll {

struct Bucket {
  std::vector<StepResult> results;  // all gradients, or all running statistics
  Bytes bytes;
  size_t ready_at = 0;  // the operation after which all of it is final

  bool gradients() const { return results.front().gradient; }
};

// Each bucket is closed as soon as it has `size` or more; so one that is larger holds a single result beyond it.
std::vector<Bucket> make_buckets(const Lowered& step, const MemoryPlan& plan, Bytes size);

// What a call costs and how fast bytes go, as measured between the workers.
struct LinkSpeed {
  double latency = 0;  // seconds of an all-reduce of one number
  double bytes_per_second = 0;
};

// So large that the latency is a twentieth of the time a bucket takes, within what is sensible. `wire`: the format in
// which its f32 numbers travel.
Bytes bucket_size(const LinkSpeed& speed, DType wire = DType::f32);

inline constexpr int64_t kSmallestBucket = 64 << 10, kLargestBucket = 32 << 20;

}  // namespace plimsoll
