// What the CUDA runtime, which libtorch has loaded, says about an error of its own.
#pragma once

#include <string>

namespace plimsoll {

inline constexpr int kGpuOutOfMemory = 2;  // cudaErrorMemoryAllocation

// `library`: the handle of libtorch's library for GPUs.
std::string gpu_error_text(void* library, int code);

// The runtime tells the last error again after the next kernel, whose it is not. Call it where one is dealt with.
void forget_gpu_error(void* library);

}  // namespace plimsoll
