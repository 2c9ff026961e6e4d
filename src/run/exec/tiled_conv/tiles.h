// The grid of tiles over a batch of pictures, and the patches of pictures that tiles are.
#pragma once

#include "run/exec/tiled_conv/tiled_conv.h"
#include "run/exec/tiled_conv/vectors.h"

namespace plimsoll {
namespace {

// A picture plane: one block of channels of one sample.
struct Plane {
  int64_t height, width;
  int64_t floats() const { return height * width * kLanes; }
};

struct Tile {
  int64_t sample, row, column;  // of its first output
};

struct Grid {
  int64_t rows, columns, tiles;
  int64_t height, width;  // of a tile

  Grid(const TiledConv& conv, int64_t height, int64_t width)
      : rows(blocks_of(conv.out_height, height)),
        columns(blocks_of(conv.out_width, width)),
        tiles(conv.batch * rows * columns),
        height(height),
        width(width) {}

  Tile at(int64_t index) const {
    const int64_t in_sample = index % (rows * columns);
    return {index / (rows * columns), in_sample / columns * height, in_sample % columns * width};
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

}  // namespace
}  // namespace plimsoll
