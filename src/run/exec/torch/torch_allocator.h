// The allocator that libtorch is given instead of its own: it asks the AllocationScope of the thread for a place, takes
// memory from the system where there is none, and counts that.
//
// On a GPU it is a pluggable allocator, for which libtorch has functions. On the processor it imitates a class of
// libtorch's, which only the releases that it was tested with are sure to have; with others libtorch keeps its own, and
// a step may allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "run/exec/run_device.h"

namespace plimsoll {

// What has come from the system, and not from a plan, since libtorch was opened.
struct TorchAllocations {
  int64_t taken = 0;         // allocations
  int64_t bytes_there = 0;   // of those that were not given back yet
  int64_t out_of_place = 0;  // results that were copied to where the plan has them
};
TorchAllocations torch_allocations();

// Once, before anything of libtorch has allocated on the device. `library`: the handle of libtorch's library for it.
// False: it keeps its own allocator, and `why` says why.
bool use_own_allocator(void* library, const RunDevice& device, const std::string& version, std::string& why);
bool own_allocator_in_use();

// As the driver counts it, with what libraries and other programs hold; nullopt: there is no GPU in use.
struct GpuMemoryInUse {
  Bytes whole, in_use;
};
std::optional<GpuMemoryInUse> gpu_memory_in_use();

// Why the GPU gave this thread no memory, where the reason is another than that it is full; empty: it did, or it is.
std::string take_gpu_refusal();

bool is_from_system(const std::byte* data);
void count_out_of_place();

}  // namespace plimsoll
