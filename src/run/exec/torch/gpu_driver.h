// What the NVIDIA driver says about a GPU, asked before libtorch is opened: its own errors come late and long.
#pragma once

#include <string>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

struct GpuFacts {
  std::string name;          // "NVIDIA GeForce RTX 4090"
  Bytes memory;              // all of it
  int multiprocessors = 0;   // 0: not told
  int major = 0, minor = 0;  // compute capability; 0: not told
};

// An Error says whether the driver, every GPU or this one is missing.
Result<GpuFacts> gpu_facts(int index);
bool driver_in_use();  // by this process

}  // namespace plimsoll
