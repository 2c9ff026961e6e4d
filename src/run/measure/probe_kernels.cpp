#include "run/measure/probe_kernels.h"

namespace plimsoll {

const FlopsKernel* best_flops_kernel(DType type) {
  for (const auto kernels : {avx512_flops_kernels(), avx2_flops_kernels(), portable_flops_kernels()})
    for (const auto& kernel : kernels)
      if (kernel.type == type && kernel.supported()) return &kernel;
  return nullptr;
}

const StreamKernels& best_stream_kernels() {
  for (const auto kernels : {avx512_stream_kernels(), avx2_stream_kernels()})
    for (const auto& kernel : kernels)
      if (kernel.supported()) return kernel;
  return portable_stream_kernels().front();
}

}  // namespace plimsoll
