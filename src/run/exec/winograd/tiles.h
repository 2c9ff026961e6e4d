// The grid of tiles over a batch of pictures, and the way of one tile into Winograd's domain and out of it.
#pragma once

#include "run/exec/winograd/transforms.h"
#include "run/exec/winograd/vectors.h"
#include "run/exec/winograd/winograd.h"

namespace plimsoll {
namespace {

// A picture plane: one block of channels of one sample.
struct Plane {
  int64_t height, width;
};

struct Tile {
  int64_t sample, row, column;  // of its first output
};

struct Grid {
  int64_t rows, columns, tiles;
  int size;

  explicit Grid(const WinogradConv& conv)
      : rows(blocks_of(conv.out_height, conv.tile)),
        columns(blocks_of(conv.out_width, conv.tile)),
        tiles(conv.batch * rows * columns),
        size(conv.tile) {}

  Tile at(int64_t index) const {
    const int64_t in_sample = index % (rows * columns);
    return {index / (rows * columns), in_sample / columns * size, in_sample % columns * size};
  }
};

// The `size` x `size` places from (top, left) on; zeros outside of the plane.
template <int size>
inline __attribute__((always_inline)) void load_patch(const float* plane, Plane extent, int64_t top, int64_t left,
                                                      Vec (&patch)[size][size]) {
  if (top >= 0 && left >= 0 && top + size <= extent.height && left + size <= extent.width) {
    const float* from = plane + (top * extent.width + left) * kLanes;
#pragma GCC unroll 8
    for (int i = 0; i < size; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < size; ++j) patch[i][j] = load(from + (i * extent.width + j) * kLanes);
    return;
  }
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const int64_t row = top + i, column = left + j;
      const bool inside = row >= 0 && row < extent.height && column >= 0 && column < extent.width;
      patch[i][j] = inside ? load(plane + (row * extent.width + column) * kLanes) : Vec{};
    }
}

// What of the patch lies in the plane.
template <int size>
inline __attribute__((always_inline)) void store_patch(float* plane, Plane extent, int64_t top, int64_t left,
                                                       const Vec (&patch)[size][size]) {
  if (top + size <= extent.height && left + size <= extent.width) {
    float* to = plane + (top * extent.width + left) * kLanes;
#pragma GCC unroll 8
    for (int i = 0; i < size; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < size; ++j) store(to + (i * extent.width + j) * kLanes, patch[i][j]);
    return;
  }
  for (int i = 0; i < size && top + i < extent.height; ++i)
    for (int j = 0; j < size && left + j < extent.width; ++j)
      store(plane + ((top + i) * extent.width + left + j) * kLanes, patch[i][j]);
}

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

}  // namespace
}  // namespace plimsoll
