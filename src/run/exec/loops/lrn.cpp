#include "run/exec/loops/lrn.h"

#include <cmath>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

constexpr int64_t kStrip = LrnShape::kStrip;

// powers = (bias + alpha / size · Σ x²)^-beta of one channel; `bases`, where asked for, what is raised.
PLIM_CLONES void powers_of(const LrnShape& s, const float* x, int64_t channel, int64_t width, float* bases,
                           float* powers) {
  const int64_t first = std::max<int64_t>(0, channel - (s.size - 1) / 2),
                last = std::min(s.channels - 1, channel + s.size / 2);
  for (int64_t i = 0; i < width; ++i) bases[i] = 0;
  for (int64_t k = first; k <= last; ++k) {
    const float* row = x + k * s.places;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) bases[i] += row[i] * row[i];
  }
  const float share = s.alpha / float(s.size), bias = s.bias;
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) bases[i] = bias + share * bases[i];
  if (s.beta == 0.75F) {
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) {
      const float root = std::sqrt(bases[i]);
      powers[i] = 1 / (root * std::sqrt(root));
    }
  } else {
    for (int64_t i = 0; i < width; ++i) powers[i] = std::pow(bases[i], -s.beta);
  }
}

PLIM_CLONES void multiply(const float* a, const float* b, int64_t width, float* y) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) y[i] = a[i] * b[i];
}

// What a channel takes back from each of its neighbours, before their own x.
PLIM_CLONES void pulls_of(const float* dy, const float* x, const float* bases, const float* powers, float factor,
                          int64_t width, float* pulls) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) pulls[i] = factor * dy[i] * x[i] * powers[i] / bases[i];
}

// dx = dy · power - x · Σ of the pulls of the channels that x is a neighbour of
PLIM_CLONES void take_back(const LrnShape& s, const float* dy, const float* x, const float* pulls, const float* powers,
                           int64_t channel, int64_t width, float* dx) {
  float sums[kStrip] = {};
  const int64_t first = std::max<int64_t>(0, channel - s.size / 2),
                last = std::min(s.channels - 1, channel + (s.size - 1) / 2);
  for (int64_t k = first; k <= last; ++k) {
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) sums[i] += pulls[k * kStrip + i];
  }
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) dx[i] = dy[i] * powers[i] - x[i] * sums[i];
}

// f(first number of a strip in its sample's first channel, its width, this thread's workspace)
template <class F>
void for_strips(const LrnShape& s, float* work, F&& f) {
  const int64_t strips = (s.places + kStrip - 1) / kStrip, sample = s.channels * s.places;
  parallel_items(s.batch * strips, s.batch * sample, [&](int64_t item) {
    const int64_t from = item % strips * kStrip;
    f(item / strips * sample + from, std::min(kStrip, s.places - from), work + thread_number() * s.workspace());
  });
}

}  // namespace

void lrn_forward(const LrnShape& s, const float* x, float* y, float* work) {
  for_strips(s, work, [&](int64_t at, int64_t width, float* own) {
    for (int64_t c = 0; c < s.channels; ++c) {
      powers_of(s, x + at, c, width, own, own + kStrip);
      multiply(x + at + c * s.places, own + kStrip, width, y + at + c * s.places);
    }
  });
}

void lrn_backward(const LrnShape& s, const float* dy, const float* x, float* dx, float* work) {
  const float factor = 2 * s.alpha * s.beta / float(s.size);
  for_strips(s, work, [&](int64_t at, int64_t width, float* own) {
    float *pulls = own, *powers = own + s.channels * kStrip;
    for (int64_t c = 0; c < s.channels; ++c) {
      float bases[kStrip];
      const int64_t row = at + c * s.places;
      powers_of(s, x + at, c, width, bases, powers + c * kStrip);
      pulls_of(dy + row, x + row, bases, powers + c * kStrip, factor, width, pulls + c * kStrip);
    }
    for (int64_t c = 0; c < s.channels; ++c) {
      const int64_t row = at + c * s.places;
      take_back(s, dy + row, x + row, pulls, powers + c * kStrip, c, width, dx + row);
    }
  });
}

}  // namespace plimsoll
