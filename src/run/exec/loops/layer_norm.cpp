#include "run/exec/loops/layer_norm.h"

#include <cmath>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

struct RowMoments {
  float mean, variance;
};

// In two passes: one would cancel where the mean is large.
PLIM_CLONES RowMoments moments_of(const float* x, int64_t length) {
  float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < length; ++i) sum += x[i];
  const float mean = sum / float(length);
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < length; ++i) squares += (x[i] - mean) * (x[i] - mean);
  return {mean, squares / float(length)};
}

PLIM_CLONES float mean_square(const float* x, int64_t length) {
  float squares = 0;
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < length; ++i) squares += x[i] * x[i];
  return squares / float(length);
}

RowMoments moments_of(const LayerNormShape& shape, const float* x) {
  return shape.centred ? moments_of(x, shape.length) : RowMoments{0, mean_square(x, shape.length)};
}

float inverse_of(const RowMoments& moments, float epsilon) { return 1 / std::sqrt(moments.variance + epsilon); }

PLIM_CLONES void normalise_row(const float* x, float mean, float inverse, const float* scale, const float* bias,
                               int64_t length, float* y) {
  if (bias) {
#pragma omp simd
    for (int64_t i = 0; i < length; ++i) y[i] = (x[i] - mean) * inverse * scale[i] + bias[i];
    return;
  }
#pragma omp simd
  for (int64_t i = 0; i < length; ++i) y[i] = (x[i] - mean) * inverse * scale[i];
}

PLIM_CLONES void row_back(const float* dy, const float* x, const float* scale, RowMoments moments, float inverse,
                          bool centred, int64_t length, float* dx, float* dscale, float* dbias) {
  const float mean = moments.mean;
  float sum = 0, along = 0;
#pragma omp simd reduction(+ : sum, along)
  for (int64_t i = 0; i < length; ++i) {
    const float normal = (x[i] - mean) * inverse, d = dy[i] * scale[i];
    sum += d;
    along += d * normal;
    dscale[i] += dy[i] * normal;
    dbias[i] += dy[i];
  }
  sum = centred ? sum / float(length) : 0;
  along /= float(length);
#pragma omp simd
  for (int64_t i = 0; i < length; ++i) {
    const float normal = (x[i] - mean) * inverse;
    dx[i] = inverse * (dy[i] * scale[i] - sum - normal * along);
  }
}

// Sums over the pieces, which are 2 · length apart.
PLIM_CLONES void join_pieces(const float* parts, int64_t pieces, int64_t length, float* sums) {
  for (int64_t i = 0; i < length; ++i) sums[i] = 0;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    const float* part = parts + piece * 2 * length;
#pragma omp simd
    for (int64_t i = 0; i < length; ++i) sums[i] += part[i];
  }
}

}  // namespace

void layer_norm_forward(const LayerNormShape& shape, const LayerNormForward& a) {
  parallel_items(shape.rows, shape.rows * shape.length, [&](int64_t row) {
    const int64_t at = row * shape.length;
    const RowMoments moments = moments_of(shape, a.x + at);
    const float inverse = inverse_of(moments, shape.epsilon);
    normalise_row(a.x + at, moments.mean, inverse, a.scale, a.bias, shape.length, a.y + at);
    if (a.mean) a.mean[row] = moments.mean;
    if (a.inverse) a.inverse[row] = inverse;
  });
}

void layer_norm_backward(const LayerNormShape& shape, const LayerNormBackward& a) {
  const int64_t pieces = shape.pieces(), length = shape.length;
  parallel_items(pieces, shape.rows * length, [&](int64_t piece) {
    float *dscale = a.work + piece * 2 * length, *dbias = dscale + length;
    std::fill(dscale, dscale + 2 * length, 0.0F);
    const int64_t last = (piece + 1) * shape.rows / pieces;
    for (int64_t row = piece * shape.rows / pieces; row < last; ++row) {
      const int64_t at = row * length;
      const RowMoments moments = moments_of(shape, a.x + at);
      row_back(a.dy + at, a.x + at, a.scale, moments, inverse_of(moments, shape.epsilon), shape.centred, length,
               a.dx + at, dscale, dbias);
    }
  });
  if (a.dscale) join_pieces(a.work, pieces, length, a.dscale);
  if (a.dbias) join_pieces(a.work + length, pieces, length, a.dbias);
}

}  // namespace plimsoll
