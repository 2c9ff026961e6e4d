// How fast samples are loaded: loader workers read files and decode (and augment) them, one core each.
//
// The rate is the least of what the drives give, what the controller's channels pass and what the workers decode on the
// cores there are. Workers beyond that add nothing, and `loading_sentence` says so.
#pragma once

#include <string>

#include "plan/time/disk.h"

namespace plimsoll {

using SamplesPerSecond = Rate<struct SamplesUnit>;

inline constexpr int64_t kMostLoaders = 1'000'000;

struct LoadingSetup {
  Bytes sample;  // of one file on the disk; 0 when samples are in memory already
  Disk disk;
  std::optional<SamplesPerSecond> decode_per_core;  // augmentation included; absent when nothing is decoded
  int64_t host_cores = 1;
  int64_t loaders = 1;  // 0: the training process loads by itself and computes nothing meanwhile
};

enum class LoadingBound { nothing, drives, controller, loaders, cores };

struct LoadingRate {
  // Absent where there is nothing to do, so that it bounds nothing.
  std::optional<SamplesPerSecond> drives, controller, decode;
  std::optional<SamplesPerSecond> all;  // the least of them
  LoadingBound bound = LoadingBound::nothing;
  int64_t useful_loaders = 1;  // workers beyond these add nothing
  bool overlaps = true;        // loading goes on while the device computes

  std::optional<SamplesPerSecond> storage() const;  // the slower of drives and controller
};

std::string_view name_of(LoadingBound bound);

Result<LoadingRate> loading_rate(const LoadingSetup& setup);

// What bounds it, and how many loaders are of use.
std::string loading_sentence(const LoadingSetup& setup, const LoadingRate& rate);

std::string human_rate(SamplesPerSecond rate);  // "53.1 samples/s"

}  // namespace plimsoll
