// How many cores of the host load samples for a device, and how that is known.
#pragma once

#include <cstdint>
#include <string>

#include "plan/verdict/candidate.h"

namespace plimsoll {

// Of a host of which nothing is known: a usual desktop's, and a cloud's share for one GPU.
inline constexpr int64_t kAssumedHostCores = 8;

enum class CoresBasis : uint8_t {
  given,    // by whoever asks
  cpu,      // of the CPU that is in the catalog
  threads,  // the machine's hardware threads (vCPUs), as its CPU is not known
  assumed,  // kAssumedHostCores
};

std::string_view name_of(CoresBasis basis);

struct HostCores {
  int64_t count = kAssumedHostCores;
  CoresBasis basis = CoresBasis::assumed;
};

// `given`: 0 where nobody has said how many.
HostCores host_cores(const Candidate& device, int64_t given);

// What was taken for granted; empty where the cores are known.
std::string cores_sentence(const HostCores& cores);

}  // namespace plimsoll
