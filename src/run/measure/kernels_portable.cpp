// Vectors of 16 bytes, which every 64-bit processor has: SSE2, NEON. The compiler chooses the instructions.
#include "run/measure/probe_kernels.h"

namespace plimsoll {
namespace {

template <class Number>
struct Lanes {
  static constexpr int kCount = 16 / sizeof(Number);
  using Vector __attribute__((vector_size(16))) = Number;
};

template <class Number>
double multiply_add(int64_t rounds) {
  using Vector = typename Lanes<Number>::Vector;
  Vector sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = Vector{} + Number(c);
  const Vector half = Vector{} + Number(0.5), one = Vector{} + Number(1);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = sums[c] * half + one;
  }
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < Lanes<Number>::kCount; ++lane) total += double(sum[lane]);
  return total;
}

double read(const float* from, int64_t count, int64_t passes) {
  using Vector = Lanes<float>::Vector;
  Vector sums[8] = {};
  for (int64_t pass = 0; pass < passes; ++pass)
    for (int64_t i = 0; i < count; i += 32) {
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) sums[k] += *reinterpret_cast<const Vector*>(from + i + int64_t{4} * k);
    }
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < 4; ++lane) total += double(sum[lane]);
  return total;
}

void triad(float* to, const float* a, const float* b, float factor, int64_t count) {
  using Vector = Lanes<float>::Vector;
  for (int64_t i = 0; i < count; i += 4)
    *reinterpret_cast<Vector*>(to + i) =
        *reinterpret_cast<const Vector*>(a + i) + factor * *reinterpret_cast<const Vector*>(b + i);
}

bool always() { return true; }

#if defined(__x86_64__)
constexpr std::string_view kName = "sse2";
#else
constexpr std::string_view kName = "portable";
#endif

constexpr FlopsKernel kFlops[] = {
    {kName, DType::f32, Lanes<float>::kCount, 1, always, multiply_add<float>},
    {kName, DType::f64, Lanes<double>::kCount, 1, always, multiply_add<double>},
};
constexpr StreamKernels kStream[] = {{kName, always, read, triad}};

}  // namespace

std::span<const FlopsKernel> portable_flops_kernels() { return kFlops; }
std::span<const StreamKernels> portable_stream_kernels() { return kStream; }

}  // namespace plimsoll
