// Vectors of 32 bytes: AVX2 with FMA, and AVX-VNNI where a processor has it without AVX-512.
#include "run/measure/probe_kernels.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define PLIM_AVX2 __attribute__((target("avx2,fma")))
#define PLIM_AVX_VNNI __attribute__((target("avx2,fma,avxvnni")))

namespace plimsoll {
namespace {

PLIM_AVX2 double f32(int64_t rounds) {
  __m256 sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm256_set1_ps(float(c));
  const __m256 half = _mm256_set1_ps(0.5F), one = _mm256_set1_ps(1);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = _mm256_fmadd_ps(sums[c], half, one);
  }
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < 8; ++lane) total += double(sum[lane]);
  return total;
}

PLIM_AVX2 double f64(int64_t rounds) {
  __m256d sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm256_set1_pd(c);
  const __m256d half = _mm256_set1_pd(0.5), one = _mm256_set1_pd(1);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = _mm256_fmadd_pd(sums[c], half, one);
  }
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < 4; ++lane) total += sum[lane];
  return total;
}

PLIM_AVX_VNNI double int8(int64_t rounds) {
  __m256i sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm256_set1_epi32(c);
  const __m256i a = _mm256_set1_epi8(3), b = _mm256_set1_epi8(-2);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = _mm256_dpbusd_avx_epi32(sums[c], a, b);
  }
  double total = 0;
  for (const auto& sum : sums) {
    alignas(32) int32_t lanes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sum);
    for (const int32_t lane : lanes) total += lane;
  }
  return total;
}

PLIM_AVX2 double read(const float* from, int64_t count, int64_t passes) {
  __m256 sums[8];
  for (auto& sum : sums) sum = _mm256_setzero_ps();
  for (int64_t pass = 0; pass < passes; ++pass)
    for (int64_t i = 0; i < count; i += 64) {
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) sums[k] = _mm256_add_ps(sums[k], _mm256_load_ps(from + i + int64_t{8} * k));
    }
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < 8; ++lane) total += double(sum[lane]);
  return total;
}

PLIM_AVX2 void triad(float* to, const float* a, const float* b, float factor, int64_t count) {
  const __m256 by = _mm256_set1_ps(factor);
  for (int64_t i = 0; i < count; i += 32) {
#pragma GCC unroll 4
    for (int64_t k = i; k < i + 32; k += 8)
      _mm256_store_ps(to + k, _mm256_fmadd_ps(_mm256_load_ps(b + k), by, _mm256_load_ps(a + k)));
  }
}

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

// By its bit of CPUID: not every compiler has a name for it.
bool has_avx_vnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & (1U << 4)) != 0;
}

constexpr FlopsKernel kFlops[] = {
    {"avx2", DType::f32, 8, 1, has_avx2, f32},
    {"avx2", DType::f64, 4, 1, has_avx2, f64},
    {"avx_vnni", DType::i8, 8, 4, has_avx_vnni, int8},
};
constexpr StreamKernels kStream[] = {{"avx2", has_avx2, read, triad}};

}  // namespace

std::span<const FlopsKernel> avx2_flops_kernels() { return kFlops; }
std::span<const StreamKernels> avx2_stream_kernels() { return kStream; }

}  // namespace plimsoll

#else

namespace plimsoll {
std::span<const FlopsKernel> avx2_flops_kernels() { return {}; }
std::span<const StreamKernels> avx2_stream_kernels() { return {}; }
}  // namespace plimsoll

#endif
