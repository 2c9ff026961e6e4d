// The kernels that a probe times: chains of multiply-adds that never leave the registers, and passes over
// memory. For each instruction set there is a file; the lists have the fastest first and the portable ones last.
//
// The sums are known in advance, so that a kernel can be held against them: a chain of f32, f64 or f16 starts at
// its number c and becomes x/2 + 1 each round; one of bf16 gains 2 each round, one of int8 loses 24.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/dtype.h"
#include "base/units.h"

namespace plimsoll {

inline constexpr int kChains =
    12;  // enough for two units with a latency of up to six cycles, few enough for 16 registers

struct FlopsKernel {
  std::string_view instruction_set;
  DType type;
  int lanes;  // sums in a register
  int depth;  // products that one instruction adds to each sum
  bool (*supported)();
  double (*run)(int64_t rounds);  // the sum over all lanes of all chains

  Flops per_round() const { return Flops(int64_t{2} * lanes * depth * kChains); }
};

inline constexpr int64_t kStreamBlock = 256;  // counts of floats are multiples of this

struct StreamKernels {
  std::string_view instruction_set;
  bool (*supported)();
  double (*read)(const float* from, int64_t count, int64_t passes);                       // the sum of all passes
  void (*triad)(float* to, const float* a, const float* b, float factor, int64_t count);  // to = a + factor · b
};

std::span<const FlopsKernel> avx512_flops_kernels();
std::span<const FlopsKernel> avx2_flops_kernels();
std::span<const FlopsKernel> portable_flops_kernels();
std::span<const StreamKernels> avx512_stream_kernels();
std::span<const StreamKernels> avx2_stream_kernels();
std::span<const StreamKernels> portable_stream_kernels();

// The fastest that this processor has; nullptr when it does not multiply in that format.
const FlopsKernel* best_flops_kernel(DType type);
const StreamKernels& best_stream_kernels();

}  // namespace plimsoll
