// Winograd's domain F(m x m, 3 x 3), as tiled_conv/convolution.h wants one.
#pragma once

#include "run/exec/tiled_conv/loops_of.h"
#include "run/exec/winograd/transforms.h"
#include "run/exec/winograd/winograd.h"

namespace plimsoll {
namespace {

// The points of one tile lie `stride` floats apart.
template <int points>
inline __attribute__((always_inline)) void scatter(const Vec (&at)[points][points], float* to, int64_t stride) {
#pragma GCC unroll 8
  for (int i = 0; i < points; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < points; ++j) store(to + (i * points + j) * stride, at[i][j]);
}

template <int points>
inline __attribute__((always_inline)) void gather(const float* from, int64_t stride, Vec (&at)[points][points]) {
#pragma GCC unroll 8
  for (int i = 0; i < points; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < points; ++j) at[i][j] = load(from + (i * points + j) * stride);
}

template <int m>
struct WinogradDomain {
  static constexpr int kEdge = m + 2;
  static constexpr int kPoints = kEdge * kEdge;
  static constexpr int kPlanes = kPoints;
  static constexpr bool kComplex = false;
  static constexpr int kMostTaps = 9;
  static constexpr int64_t kLeastTogether = 1 << 23;
  static constexpr int64_t kSmallKernels = 128 * 128;
  static constexpr int64_t kSmallGradients = 64 * 128;

  int64_t height() const { return m; }
  int64_t width() const { return m; }

  void input(const float* plane, Plane extent, int64_t top, int64_t left, float* to, int64_t stride) const {
    Vec patch[kEdge][kEdge], at[kEdge][kEdge];
    load_patch(plane, extent, top, left, patch);
    both_axes(patch, at, [](const Vec* d, Vec* o) { Transforms<m>::input(d, o); });
    scatter(at, to, stride);
  }

  void gradient(const float* plane, Plane extent, int64_t top, int64_t left, float* to, int64_t stride) const {
    Vec patch[m][m], at[kEdge][kEdge];
    load_patch(plane, extent, top, left, patch);
    both_axes(patch, at, [](const Vec* d, Vec* o) { Transforms<m>::output_back(d, o); });
    scatter(at, to, stride);
  }

  void kernel(const float* taps, int64_t tap_stride, float* to, int64_t stride) const {
    Vec kernel[3][3], at[kEdge][kEdge];
    gather(taps, tap_stride, kernel);
    both_axes(kernel, at, [](const Vec* g, Vec* o) { Transforms<m>::kernel(g, o); });
    scatter(at, to, stride);
  }

  template <class F>
  void output(const float* from, int64_t stride, float* plane, Plane extent, Tile tile, bool adds, F&& finish) const {
    Vec at[kEdge][kEdge], patch[m][m], before[m][m] = {};
    gather(from, stride, at);
    both_axes(at, patch, [](const Vec* p, Vec* o) { Transforms<m>::output(p, o); });
    if (adds) load_patch(plane, extent, tile.row, tile.column, before);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) patch[i][j] = finish(patch[i][j], before[i][j]);
    store_patch(plane, extent, tile.row, tile.column, patch);
  }

  void kernel_gradient(const float* from, int64_t stride, float* taps, int64_t tap_stride) const {
    Vec at[kEdge][kEdge], kernel[3][3];
    gather(from, stride, at);
    both_axes(at, kernel, [](const Vec* s, Vec* g) { Transforms<m>::kernel_back(s, g); });
    scatter(kernel, taps, tap_stride);
  }
};

struct ChooseWinograd {
  template <class F>
  static auto with(const WinogradConv& conv, F&& f) {
    return conv.tile == 2 ? f(WinogradDomain<2>()) : f(WinogradDomain<4>());
  }
};

constexpr const auto& kWinogradLoops = LoopsOf<WinogradConv, ChooseWinograd>::kTable;

}  // namespace
}  // namespace plimsoll
