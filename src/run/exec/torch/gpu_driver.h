// What the NVIDIA driver says about a GPU, asked before libtorch is opened: its own errors come late and long.
#pragma once

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

// All the memory of that GPU. An Error says whether the driver, every GPU or this one is missing.
Result<Bytes> gpu_memory(int index);

}  // namespace plimsoll
