// Vectors of floats of the instruction set that this file is compiled for. Everything here and in the files beside it
// that are compiled several times has internal linkage and uses nothing of the standard library, so that no function
// compiled for one instruction set is taken by code for another.
#pragma once

#include <cstdint>

namespace plimsoll {
namespace {

// Rows and columns of sums in the registers of a matrix product. Rows of a product backwards divide a block of
// channels.
struct Registers {
  int rows, columns;
};
#if defined(__AVX512F__)
constexpr int kLanes = 16;
constexpr Registers kReal{14, 2}, kRealBack{8, 3};  // 28 sums, 2 columns, 1 row of 32 registers
constexpr Registers kComplex{6, 2}, kComplexBack{4, 2};
#else
constexpr int kLanes = 8;
constexpr Registers kReal{6, 2}, kRealBack{4, 3};
constexpr Registers kComplex{6, 1}, kComplexBack{4, 1};
#endif

#define PLIM_INLINE inline __attribute__((always_inline))

using Vec = float __attribute__((vector_size(kLanes * sizeof(float))));

inline Vec load(const float* p) {
  Vec v;
  __builtin_memcpy(&v, p, sizeof(v));
  return v;
}
inline void store(float* p, Vec v) { __builtin_memcpy(p, &v, sizeof(v)); }
inline Vec largest(Vec a, Vec b) { return a > b ? a : b; }

// What one of `members` takes of `count` items.
struct Share {
  int64_t from, to;
};
inline Share share(int64_t count, int64_t member, int64_t members) {
  return {count * member / members, count * (member + 1) / members};
}
inline int64_t blocks_of(int64_t count, int64_t block) { return (count + block - 1) / block; }

}  // namespace
}  // namespace plimsoll
