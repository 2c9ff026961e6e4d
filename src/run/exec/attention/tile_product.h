// Products of the small matrices of a tile, which lie in the nearest caches.
#pragma once

#include "run/exec/tiled_conv/vectors.h"

namespace plimsoll {
namespace {

constexpr int kTile = 48;        // queries, and keys, of a tile: whole rows of registers, and whole vectors
constexpr int kOnlyTile = 60;    // at most, where all are one tile: a window of 49 has no second tile of one
constexpr int kTileStride = 64;  // from one row of a tile to the next
constexpr int kTileRows = 6;     // of sums in registers
#if defined(__AVX512F__)
constexpr int kTileColumns = 4;
#else
constexpr int kTileColumns = 2;
#endif

// sums (rows x columns) += or = a · b. An element of a is at a[row * a_row + k * a_step], a row of b at b[k * b_row].
struct TileProduct {
  const float* a;
  int64_t a_row, a_step;
  const float* b;
  int64_t b_row;
  float* sums;
  int64_t sums_row;
  int64_t rows;     // computed are whole kTileRows of them
  int64_t columns;  // computed are whole vectors
  int64_t depth;
};

template <int columns, bool add>
PLIM_INLINE void multiply_rows(const TileProduct& p, int64_t row, int64_t column) {
  Vec sum[kTileRows][columns];
  float* to = p.sums + row * p.sums_row + column;
#pragma GCC unroll 8
  for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < columns; ++c) sum[r][c] = add ? load(to + r * p.sums_row + c * kLanes) : Vec{};
  const float *a = p.a + row * p.a_row, *b = p.b + column;
  for (int64_t k = 0; k < p.depth; ++k, a += p.a_step, b += p.b_row) {
    Vec factor[columns];
#pragma GCC unroll 4
    for (int c = 0; c < columns; ++c) factor[c] = load(b + c * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < kTileRows; ++r) {
      const float one = a[r * p.a_row];
#pragma GCC unroll 4
      for (int c = 0; c < columns; ++c) sum[r][c] += one * factor[c];
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < columns; ++c) store(to + r * p.sums_row + c * kLanes, sum[r][c]);
}

template <int columns, bool add>
void multiply_columns(const TileProduct& p, int64_t column) {
  for (int64_t row = 0; row < p.rows; row += kTileRows) multiply_rows<columns, add>(p, row, column);
}

template <bool add>
void multiply_tile(const TileProduct& p) {
  const int64_t vectors = blocks_of(p.columns, kLanes);
  int64_t done = 0;
  for (; done + kTileColumns <= vectors; done += kTileColumns) multiply_columns<kTileColumns, add>(p, done * kLanes);
  const int64_t rest = vectors - done, column = done * kLanes;
  if constexpr (kTileColumns > 2) {
    if (rest == 3) return multiply_columns<3, add>(p, column);
    if (rest == 2) return multiply_columns<2, add>(p, column);
  }
  if (rest == 1) multiply_columns<1, add>(p, column);
}

}  // namespace
}  // namespace plimsoll
