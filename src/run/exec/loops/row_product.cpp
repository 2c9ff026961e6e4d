#include "run/exec/loops/row_product.h"

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

constexpr int64_t kStrip = 512;  // columns whose sums stay in the nearest cache

PLIM_CLONES void four_dots(const float* x, const float* b, int64_t inner, float* sums) {
  const float *first = b, *second = b + inner, *third = second + inner, *fourth = third + inner;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (int64_t i = 0; i < inner; ++i) {
    s0 += x[i] * first[i];
    s1 += x[i] * second[i];
    s2 += x[i] * third[i];
    s3 += x[i] * fourth[i];
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

PLIM_CLONES float dot(const float* x, const float* b, int64_t inner) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < inner; ++i) sum += x[i] * b[i];
  return sum;
}

// Some columns next to each other, row by row of b.
PLIM_CLONES void add_rows(const float* x, const float* b, int64_t inner, int64_t stride, int64_t count, float* y) {
#pragma omp simd
  for (int64_t c = 0; c < count; ++c) y[c] = 0;
  for (int64_t i = 0; i < inner; ++i, b += stride) {
    const float factor = x[i];
#pragma omp simd
    for (int64_t c = 0; c < count; ++c) y[c] += factor * b[c];
  }
}

void multiply(const RowProduct& p, const float* x, const float* b, int64_t from, int64_t to, float* y) {
  if (p.transpose_b) {
    for (; from + 4 <= to; from += 4) four_dots(x, b + from * p.inner, p.inner, y + from);
    for (; from < to; ++from) y[from] = dot(x, b + from * p.inner, p.inner);
    return;
  }
  for (; from < to; from += kStrip) add_rows(x, b + from, p.inner, p.columns, std::min(kStrip, to - from), y + from);
}

}  // namespace

void row_product(const RowProduct& p, const float* x, const float* b, const float* bias, float* y) {
  parallel_pieces(threads_worth(p.inner * p.columns), [&](int64_t piece, int64_t pieces) {
    // Whole groups of 16 columns, so that sums do not depend on the number of threads.
    const int64_t groups = (p.columns + 15) / 16;
    const int64_t from = groups * piece / pieces * 16, to = std::min(p.columns, groups * (piece + 1) / pieces * 16);
    multiply(p, x, b, from, to, y);
    for (int64_t c = from; c < to; ++c) y[c] = p.scale * y[c] + (bias ? bias[c] : 0);
  });
}

}  // namespace plimsoll
