// The stages of a step: disk, decode, transfer, compute. What overlaps, and what binds.
//
// With prefetching (PyTorch's DataLoader with workers, Keras' generators and tf.data) the stages work on different
// batches at the same time, and the slowest sets the pace. Without it they add up. Either way the longest is named.
#pragma once

#include <string>

#include "plan/time/loading_rate.h"

namespace plimsoll {

enum class BoundBy { disk, decode, transfer, arithmetic, bandwidth, launch };

std::string_view name_of(BoundBy bound);  // "disk", "compute-arithmetic" …
bool is_loader(BoundBy bound);            // disk and decode

// Of one batch, each stage by itself.
struct StageTimes {
  Seconds disk, decode, transfer, compute;
  BoundBy compute_bound = BoundBy::arithmetic;  // or bandwidth, or launch: what most of `compute` is
  // What decoding takes from the cores that compute, spread over all of them: of a CPU only, else 0.
  Seconds decode_on_device;
};

// Fills disk and decode; `computes_on_host` when the decoding cores are those that compute.
StageTimes loading_times(const LoadingSetup& setup, const LoadingRate& rate, int64_t batch, bool computes_on_host);

struct Pace {
  Seconds step;
  BoundBy bound_by = BoundBy::arithmetic;
  double busy = 1;  // the share of the step in which the device computes
};

Pace pace(const StageTimes& times, bool overlaps);

// "Loader-bound: …", with what would keep the device busy.
std::string pace_sentence(const StageTimes& times, const Pace& pace, const LoadingSetup& setup, int64_t batch);

}  // namespace plimsoll
