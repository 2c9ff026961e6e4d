// The domain of two-dimensional Fourier transforms of n x n numbers, as tiled_conv/convolution.h wants one. Only half
// of the spectrum is kept, the other half is its mirror image: columns 0 and n/2 are spectra of real numbers
// themselves, the columns between are complex.
#pragma once

#include "run/exec/fft/fft.h"
#include "run/exec/fft/fourier_vectors.h"
#include "run/exec/tiled_conv/loops_of.h"

namespace plimsoll {
namespace {

template <int n>
class FftDomain {
 public:
  static constexpr int kHalf = n / 2;
  static constexpr int kPoints = n * kHalf;  // the two spectra of real numbers together fill one column
  static constexpr int kPlanes = 2 * kPoints;
  static constexpr bool kComplex = true;
  static constexpr int kMostTaps = (n - 1) * (n - 1);
  static constexpr int64_t kLeastTogether = 1 << 21;
  static constexpr int64_t kSmallKernels = 32 * 32 * 16 / n;
  static constexpr int64_t kSmallGradients = 32 * 32 * 16 / n;

  // The first point of a spectrum of real numbers holds its first and its last number.
  static bool two_reals(int64_t point) { return point == 0 || point == kHalf; }

  explicit FftDomain(const TiledConv& conv) : kernel_height_(conv.kernel_height), kernel_width_(conv.kernel_width) {}

  int64_t height() const { return n - kernel_height_ + 1; }
  int64_t width() const { return n - kernel_width_ + 1; }

  void input(const float* plane, Plane extent, int64_t top, int64_t left, float* to, int64_t stride) const {
    transform(Patch(plane, extent, top, left, n, n), to, stride);
  }

  void gradient(const float* plane, Plane extent, int64_t top, int64_t left, float* to, int64_t stride) const {
    transform(Patch(plane, extent, top, left, height(), width()), to, stride);
  }

  void kernel(const float* taps, int64_t tap_stride, float* to, int64_t stride) const {
    transform(Patch(taps, tap_stride, kernel_height_, kernel_width_), to, stride);
  }

  template <class F>
  void output(const float* from, int64_t stride, float* plane, Plane extent, Tile tile, bool adds, F&& finish) const {
    const int64_t rows = extent.height - tile.row < height() ? extent.height - tile.row : height();
    const int64_t columns = extent.width - tile.column < width() ? extent.width - tile.column : width();
    float* first = plane + (tile.row * extent.width + tile.column) * kLanes;
    transform_back(from, stride, rows, [&](int64_t row, const Vec* values) {
      float* to = first + row * extent.width * kLanes;
      for (int64_t j = 0; j < columns; ++j, to += kLanes)
        store(to, finish(values[j] * kFactor, adds ? load(to) : Vec{}));
    });
  }

  void kernel_gradient(const float* from, int64_t stride, float* taps, int64_t tap_stride) const {
    transform_back(from, stride, kernel_height_, [&](int64_t row, const Vec* values) {
      for (int64_t j = 0; j < kernel_width_; ++j)
        store(taps + (row * kernel_width_ + j) * tap_stride, values[j] * kFactor);
    });
  }

 private:
  static constexpr float kFactor = 1.0f / (n * n);

  // Numbers of a picture or a kernel that a transform reads; zeros around them.
  struct Patch {
    const float* first;        // at (0, 0) of the transform
    int64_t row_step, step;    // floats
    int64_t from_row, to_row;  // that hold numbers
    int64_t from_column, to_column;

    Patch(const float* plane, Plane extent, int64_t top, int64_t left, int64_t rows, int64_t columns)
        : first(plane + (top * extent.width + left) * kLanes),
          row_step(extent.width * kLanes),
          step(kLanes),
          from_row(top < 0 ? -top : 0),
          to_row(extent.height - top < rows ? extent.height - top : rows),
          from_column(left < 0 ? -left : 0),
          to_column(extent.width - left < columns ? extent.width - left : columns) {}

    Patch(const float* taps, int64_t step, int64_t rows, int64_t columns)
        : first(taps),
          row_step(step * columns),
          step(step),
          from_row(0),
          to_row(rows),
          from_column(0),
          to_column(columns) {}
  };

  // Columns of the half-way result, after the rows are transformed.
  struct Columns {
    Vec re[kHalf + 1][n], im[kHalf + 1][n];
  };

  static void transform(const Patch& patch, float* to, int64_t stride) {
    Columns columns;
    for (int i = 0; i < n; ++i) {
      if (i < patch.from_row || i >= patch.to_row) {
        for (int j = 0; j <= kHalf; ++j) columns.re[j][i] = columns.im[j][i] = Vec{};
        continue;
      }
      transform_row(patch, i, columns);
    }
    real_column(columns.re[0], to, stride);
    real_column(columns.re[kHalf], to + n * stride, stride);
    for (int j = 1; j < kHalf; ++j) complex_column(columns.re[j], columns.im[j], to + j * 2 * n * stride, stride);
  }

  static __attribute__((noinline)) void transform_row(const Patch& patch, int row, Columns& columns) {
    Vec x[n], re[kHalf + 1], im[kHalf + 1];
    const float* from = patch.first + row * patch.row_step;
    if (patch.from_column == 0 && patch.to_column == n) {
#pragma GCC unroll 32
      for (int j = 0; j < n; ++j) x[j] = load(from + j * patch.step);
    } else {
      for (int j = 0; j < n; ++j)
        x[j] = j >= patch.from_column && j < patch.to_column ? load(from + j * patch.step) : Vec{};
    }
    fourier_of_real<n, 1>(x, re, im);
#pragma GCC unroll 32
    for (int j = 0; j <= kHalf; ++j) {
      columns.re[j][row] = re[j];
      columns.im[j][row] = im[j];
    }
  }

  static PLIM_INLINE void scatter_complex(Vec re, Vec im, float* to, int64_t stride) {
    store(to, re);
    store(to + stride, im);
  }

  static PLIM_INLINE void gather_complex(const float* from, int64_t stride, Vec& re, Vec& im) {
    re = load(from);
    im = load(from + stride);
  }

  static __attribute__((noinline)) void real_column(const Vec* x, float* to, int64_t stride) {
    Vec re[kHalf + 1], im[kHalf + 1];
    fourier_of_real<n, 1>(x, re, im);
    scatter_complex(re[0], re[kHalf], to, stride);
#pragma GCC unroll 16
    for (int k = 1; k < kHalf; ++k) scatter_complex(re[k], im[k], to + 2 * k * stride, stride);
  }

  static __attribute__((noinline)) void complex_column(const Vec* x_re, const Vec* x_im, float* to, int64_t stride) {
    Vec re[n], im[n];
    fourier<n, 1>(x_re, x_im, re, im);
#pragma GCC unroll 32
    for (int k = 0; k < n; ++k) scatter_complex(re[k], im[k], to + 2 * k * stride, stride);
  }

  // put(row, its numbers) for the first rows, n * n times too large.
  template <class F>
  static void transform_back(const float* from, int64_t stride, int64_t rows, F&& put) {
    Columns columns;
    real_column_back(from, stride, columns.re[0], columns.im[0]);
    real_column_back(from + n * stride, stride, columns.re[kHalf], columns.im[kHalf]);
    for (int j = 1; j < kHalf; ++j)
      complex_column_back(from + j * 2 * n * stride, stride, columns.re[j], columns.im[j]);
    for (int64_t i = 0; i < rows; ++i) {
      Vec x[n];
      row_back(columns, i, x);
      put(i, x);
    }
  }

  static __attribute__((noinline)) void real_column_back(const float* from, int64_t stride, Vec* x, Vec* zeros) {
    Vec re[kHalf + 1], im[kHalf + 1];
    gather_complex(from, stride, re[0], re[kHalf]);
    im[0] = im[kHalf] = Vec{};
#pragma GCC unroll 16
    for (int k = 1; k < kHalf; ++k) gather_complex(from + 2 * k * stride, stride, re[k], im[k]);
    real_of_fourier<n, 1>(re, im, x);
    for (int i = 0; i < n; ++i) zeros[i] = Vec{};
  }

  static __attribute__((noinline)) void complex_column_back(const float* from, int64_t stride, Vec* x_re, Vec* x_im) {
    Vec re[n], im[n];
#pragma GCC unroll 32
    for (int k = 0; k < n; ++k) gather_complex(from + 2 * k * stride, stride, re[k], im[k]);
    fourier<n, 1>(im, re, x_im, x_re);  // exchanged: backwards
  }

  static __attribute__((noinline)) void row_back(const Columns& columns, int64_t row, Vec* x) {
    Vec re[kHalf + 1], im[kHalf + 1];
#pragma GCC unroll 32
    for (int j = 0; j <= kHalf; ++j) {
      re[j] = columns.re[j][row];
      im[j] = columns.im[j][row];
    }
    real_of_fourier<n, 1>(re, im, x);
  }

  int64_t kernel_height_, kernel_width_;
};

struct ChooseFft {
  template <class F>
  static auto with(const FftConv& conv, F&& f) {
    return conv.size == 8 ? f(FftDomain<8>(conv)) : conv.size == 16 ? f(FftDomain<16>(conv)) : f(FftDomain<32>(conv));
  }
};

constexpr const auto& kFftLoops = LoopsOf<FftConv, ChooseFft>::kTable;

}  // namespace
}  // namespace plimsoll
