// Fourier transforms of a power of two of vectors, written out: every lane is a transform of its own. Without factors:
// there and back multiplies by the length. A spectrum of real numbers is kept by its first half, length/2 + 1 numbers,
// of which the first and the last are real.
#pragma once

#include "run/exec/tiled_conv/vectors.h"

namespace plimsoll {
namespace {

constexpr double kPi = 3.14159265358979323846;

// By the series, for |x| up to pi / 2: so no library function is taken.
constexpr double sine(double x) {
  double term = x, sum = x;
  for (int i = 2; i < 30; i += 2) {
    term *= -x * x / (i * (i + 1));
    sum += term;
  }
  return sum;
}

// exp(-2 pi i k / n) for k up to n / 2: its real part and its imaginary part's opposite.
template <int n>
struct Turns {
  float cosine[n / 2 + 1] = {}, sine_of[n / 2 + 1] = {};
  constexpr Turns() {
    for (int k = 0; k <= n / 2; ++k) {
      const double angle = 2 * kPi * k / n;
      cosine[k] = float(sine(kPi / 2 - angle));
      sine_of[k] = float(angle <= kPi / 2 ? sine(angle) : sine(kPi - angle));
    }
  }
};
template <int n>
constexpr Turns<n> kTurns{};

// The spectrum of n complex numbers that lie `step` apart, in order.
template <int n, int step>
PLIM_INLINE void fourier(const Vec* re, const Vec* im, Vec* to_re, Vec* to_im) {
  if constexpr (n == 1) {
    to_re[0] = re[0];
    to_im[0] = im[0];
  } else {
    constexpr int half = n / 2;
    Vec even_re[half], even_im[half], odd_re[half], odd_im[half];
    fourier<half, 2 * step>(re, im, even_re, even_im);
    fourier<half, 2 * step>(re + step, im + step, odd_re, odd_im);
#pragma GCC unroll 16
    for (int k = 0; k < half; ++k) {
      const float c = kTurns<n>.cosine[k], s = kTurns<n>.sine_of[k];
      Vec turned_re = odd_re[k], turned_im = odd_im[k];
      if (4 * k == n) {
        turned_re = odd_im[k];
        turned_im = -odd_re[k];
      } else if (k > 0) {
        turned_re = odd_re[k] * c + odd_im[k] * s;
        turned_im = odd_im[k] * c - odd_re[k] * s;
      }
      to_re[k] = even_re[k] + turned_re;
      to_im[k] = even_im[k] + turned_im;
      to_re[k + half] = even_re[k] - turned_re;
      to_im[k + half] = even_im[k] - turned_im;
    }
  }
}

// The first half of the spectrum of n real numbers.
template <int n, int step>
PLIM_INLINE void fourier_of_real(const Vec* x, Vec* re, Vec* im) {
  if constexpr (n == 2) {
    re[0] = x[0] + x[step];
    re[1] = x[0] - x[step];
    im[0] = im[1] = Vec{};
  } else {
    constexpr int half = n / 2, quarter = n / 4;
    Vec even_re[quarter + 1], even_im[quarter + 1], odd_re[quarter + 1], odd_im[quarter + 1];
    fourier_of_real<half, 2 * step>(x, even_re, even_im);
    fourier_of_real<half, 2 * step>(x + step, odd_re, odd_im);
    re[0] = even_re[0] + odd_re[0];
    re[half] = even_re[0] - odd_re[0];
    im[0] = im[half] = Vec{};
    re[quarter] = even_re[quarter];
    im[quarter] = -odd_re[quarter];
#pragma GCC unroll 16
    for (int k = 1; k < quarter; ++k) {
      const float c = kTurns<n>.cosine[k], s = kTurns<n>.sine_of[k];
      const Vec turned_re = odd_re[k] * c + odd_im[k] * s, turned_im = odd_im[k] * c - odd_re[k] * s;
      re[k] = even_re[k] + turned_re;
      im[k] = even_im[k] + turned_im;
      re[half - k] = even_re[k] - turned_re;
      im[half - k] = turned_im - even_im[k];
    }
  }
}

// n real numbers, `step` apart, from the first half of their spectrum.
template <int n, int step>
PLIM_INLINE void real_of_fourier(const Vec* re, const Vec* im, Vec* x) {
  if constexpr (n == 2) {
    x[0] = re[0] + re[1];
    x[step] = re[0] - re[1];
  } else {
    constexpr int half = n / 2, quarter = n / 4;
    Vec even_re[quarter + 1], even_im[quarter + 1], odd_re[quarter + 1], odd_im[quarter + 1];
    even_re[0] = re[0] + re[half];
    odd_re[0] = re[0] - re[half];
    even_re[quarter] = re[quarter] + re[quarter];
    odd_re[quarter] = -(im[quarter] + im[quarter]);
    even_im[0] = odd_im[0] = even_im[quarter] = odd_im[quarter] = Vec{};
#pragma GCC unroll 16
    for (int k = 1; k < quarter; ++k) {
      const float c = kTurns<n>.cosine[k], s = kTurns<n>.sine_of[k];
      const Vec turned_re = re[k] - re[half - k], turned_im = im[k] + im[half - k];
      even_re[k] = re[k] + re[half - k];
      even_im[k] = im[k] - im[half - k];
      odd_re[k] = turned_re * c - turned_im * s;
      odd_im[k] = turned_im * c + turned_re * s;
    }
    real_of_fourier<half, 2 * step>(even_re, even_im, x);
    real_of_fourier<half, 2 * step>(odd_re, odd_im, x + step);
  }
}

}  // namespace
}  // namespace plimsoll
