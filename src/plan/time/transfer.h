// Moves between the host's memory and the device's: the batch each step, the model once, results back.
//
// A CPU computes where the data are: nothing moves. So does a GPU that shares the host's memory, which in the catalog
// is one without a host_link.
#pragma once

#include <string_view>

#include "plan/devices/device.h"

namespace plimsoll {

// Pinned memory stays where it is, and the device fetches it by DMA. Pageable memory is first copied by the CPU into
// a pinned buffer, so both copies count.
enum class HostMemory { pageable, pinned };

std::string_view name_of(HostMemory memory);

struct Transfer {
  Bytes bytes;
  Seconds time;         // 0 when nothing moves
  BytesPerSecond rate;  // of the link as used; 0 when nothing moves
};

// Whether data must be moved to reach this device; it is the part that computes (compute_part).
bool has_memory_of_its_own(const Device& device);

// Either way: host → device for the batch and the model, device → host for results.
Transfer transfer(const Device& device, Bytes bytes, HostMemory memory);

}  // namespace plimsoll
