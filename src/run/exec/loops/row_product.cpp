#include "run/exec/loops/row_product.h"

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

constexpr int64_t kStrip = 4096;  // columns whose sums stay in the nearest cache; rows of b are read in long runs

// One after the other: several at a time would read from as many places, which is slower.
PLIM_CLONES float dot(const float* x, const float* b, int64_t inner) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < inner; ++i) sum += x[i] * b[i];
  return sum;
}

// Some columns next to each other, four rows of b at a time.
PLIM_CLONES void add_rows(const float* x, const float* b, int64_t inner, int64_t stride, int64_t count, float* y) {
#pragma omp simd
  for (int64_t c = 0; c < count; ++c) y[c] = 0;
  int64_t i = 0;
  for (; i + 4 <= inner; i += 4, b += 4 * stride) {
    const float x0 = x[i], x1 = x[i + 1], x2 = x[i + 2], x3 = x[i + 3];
    const float *first = b, *second = b + stride, *third = second + stride, *fourth = third + stride;
#pragma omp simd
    for (int64_t c = 0; c < count; ++c) y[c] += (x0 * first[c] + x1 * second[c]) + (x2 * third[c] + x3 * fourth[c]);
  }
  for (; i < inner; ++i, b += stride) {
    const float factor = x[i];
#pragma omp simd
    for (int64_t c = 0; c < count; ++c) y[c] += factor * b[c];
  }
}

void multiply(const RowProduct& p, const float* x, const float* b, int64_t from, int64_t to, float* y) {
  if (p.transpose_b) {
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
