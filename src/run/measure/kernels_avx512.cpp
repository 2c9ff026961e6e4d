// Vectors of 64 bytes: AVX-512, and its products of int8 (VNNI), bf16 and f16 where a processor has them.
#include "run/measure/probe_kernels.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define PLIM_AVX512 __attribute__((target("avx512f")))
#define PLIM_AVX512_VNNI __attribute__((target("avx512f,avx512vnni")))
#define PLIM_AVX512_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))
#if !defined(__clang__) || __clang_major__ >= 16  // before, clang has f16 only when all of a file is compiled for it
#define PLIM_AVX512_FP16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512fp16")))
#endif

namespace plimsoll {
namespace {

PLIM_AVX512 double sum_of(const __m512 (&sums)[kChains]) {
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < 16; ++lane) total += double(sum[lane]);
  return total;
}

PLIM_AVX512 double f32(int64_t rounds) {
  __m512 sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm512_set1_ps(float(c));
  const __m512 half = _mm512_set1_ps(0.5F), one = _mm512_set1_ps(1);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = _mm512_fmadd_ps(sums[c], half, one);
  }
  return sum_of(sums);
}

PLIM_AVX512 double f64(int64_t rounds) {
  __m512d sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm512_set1_pd(c);
  const __m512d half = _mm512_set1_pd(0.5), one = _mm512_set1_pd(1);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = _mm512_fmadd_pd(sums[c], half, one);
  }
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < 8; ++lane) total += sum[lane];
  return total;
}

PLIM_AVX512_VNNI double int8(int64_t rounds) {
  __m512i sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm512_set1_epi32(c);
  const __m512i a = _mm512_set1_epi32(0x03030303), b = _mm512_set1_epi32(int(0xFEFEFEFEU));  // 3 and -2
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = _mm512_dpbusd_epi32(sums[c], a, b);
  }
  double total = 0;
  for (const auto& sum : sums) {
    alignas(64) int32_t lanes[16];
    _mm512_store_si512(lanes, sum);
    for (const int32_t lane : lanes) total += lane;
  }
  return total;
}

PLIM_AVX512_BF16 double bf16(int64_t rounds) {
  __m512 sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm512_set1_ps(float(c));
  const __m512bh one = _mm512_cvtne2ps_pbh(_mm512_set1_ps(1), _mm512_set1_ps(1));
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = _mm512_dpbf16_ps(sums[c], one, one);
  }
  return sum_of(sums);
}

#if defined(PLIM_AVX512_FP16)
PLIM_AVX512_FP16 double f16(int64_t rounds) {
  __m512h sums[kChains];
  for (int c = 0; c < kChains; ++c) sums[c] = _mm512_set1_ph(_Float16(c));
  const __m512h half = _mm512_set1_ph(_Float16(0.5)), one = _mm512_set1_ph(_Float16(1));
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) sums[c] = _mm512_fmadd_ph(sums[c], half, one);
  }
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < 32; ++lane) total += double(sum[lane]);
  return total;
}

// By its bit of CPUID: not every compiler has a name for it.
bool has_fp16() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx512f") && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & (1U << 23)) != 0;
}
#endif

PLIM_AVX512 double read(const float* from, int64_t count, int64_t passes) {
  __m512 sums[8];
  for (auto& sum : sums) sum = _mm512_setzero_ps();
  for (int64_t pass = 0; pass < passes; ++pass)
    for (int64_t i = 0; i < count; i += 128) {
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) sums[k] = _mm512_add_ps(sums[k], _mm512_load_ps(from + i + int64_t{16} * k));
    }
  double total = 0;
  for (const auto& sum : sums)
    for (int lane = 0; lane < 16; ++lane) total += double(sum[lane]);
  return total;
}

PLIM_AVX512 void triad(float* to, const float* a, const float* b, float factor, int64_t count) {
  const __m512 by = _mm512_set1_ps(factor);
  for (int64_t i = 0; i < count; i += 64) {
#pragma GCC unroll 4
    for (int64_t k = i; k < i + 64; k += 16)
      _mm512_store_ps(to + k, _mm512_fmadd_ps(_mm512_load_ps(b + k), by, _mm512_load_ps(a + k)));
  }
}

bool has_avx512() { return __builtin_cpu_supports("avx512f"); }
bool has_vnni() { return has_avx512() && __builtin_cpu_supports("avx512vnni"); }
bool has_bf16() { return has_avx512() && __builtin_cpu_supports("avx512bf16"); }

constexpr FlopsKernel kFlops[] = {
    {"avx512f", DType::f32, 16, 1, has_avx512, f32},   {"avx512f", DType::f64, 8, 1, has_avx512, f64},
    {"avx512_vnni", DType::i8, 16, 4, has_vnni, int8}, {"avx512_bf16", DType::bf16, 16, 2, has_bf16, bf16},
#if defined(PLIM_AVX512_FP16)
    {"avx512_fp16", DType::f16, 32, 1, has_fp16, f16},
#endif
};
constexpr StreamKernels kStream[] = {{"avx512f", has_avx512, read, triad}};

}  // namespace

std::span<const FlopsKernel> avx512_flops_kernels() { return kFlops; }
std::span<const StreamKernels> avx512_stream_kernels() { return kStream; }

}  // namespace plimsoll

#else

namespace plimsoll {
std::span<const FlopsKernel> avx512_flops_kernels() { return {}; }
std::span<const StreamKernels> avx512_stream_kernels() { return {}; }
}  // namespace plimsoll

#endif
