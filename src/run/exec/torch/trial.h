// Trials: every kernel of a lowered step is run once on its device, on zeros in memory of its own, and what it
// allocates is recorded. Kernels of the same operation on the same sizes are tried once in a process.
#pragma once

#include <span>

#include "base/result.h"
#include "run/exec/torch/torch_lowering.h"
#include "run/exec/torch/trial_patience.h"

namespace plimsoll {

struct Tried {
  std::vector<AllocationRecord> records;  // of each operation; empty for those without a kernel
  // What libraries hold for themselves once all was tried: of a GPU what is in use there, other programs' memory
  // included; of the host what they kept of these trials.
  Bytes kept;
};

// `scratch`: memory of the device that is free meanwhile, used as far as it is large enough. `most`: the time that may
// be spent; an Error says so where more of it is to be expected.
Result<Tried> record_allocations(const TorchLowered& lowered, std::span<std::byte> scratch,
                                 std::optional<Seconds> most = {});

}  // namespace plimsoll
