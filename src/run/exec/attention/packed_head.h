// One head's rows of a tensor, one after the other, padded to whole tiles of rows and whole vectors with zeros.
#pragma once

#include "run/exec/attention/attention.h"
#include "run/exec/attention/tile_product.h"

namespace plimsoll {
namespace {

inline int64_t whole_tiles(int64_t rows) { return blocks_of(rows, kTile) * kTile; }
inline int64_t whole_vectors(int64_t numbers) { return blocks_of(numbers, kLanes) * kLanes; }
inline int64_t floats_of(int64_t rows, int64_t numbers) { return whole_tiles(rows) * whole_vectors(numbers); }

// Rows of a head in its tensor.
struct HeadRows {
  int64_t rows, numbers, stride;

  int64_t width() const { return whole_vectors(numbers); }
};

inline void pack_rows(const HeadRows& rows, const float* from, float factor, float* to) {
  const int64_t width = rows.width(), padded = whole_tiles(rows.rows);
  for (int64_t r = 0; r < padded; ++r, to += width) {
    const bool there = r < rows.rows;
    for (int64_t i = 0; i < width; ++i) to[i] = there && i < rows.numbers ? factor * from[r * rows.stride + i] : 0.0F;
  }
}

// Tile by tile, each turned: numbers x kTile.
inline void pack_turned(const HeadRows& rows, const float* from, float* to) {
  for (int64_t first = 0; first < rows.rows; first += kTile, to += rows.numbers * kTile)
    for (int64_t r = 0; r < kTile; ++r)
      for (int64_t i = 0; i < rows.numbers; ++i)
        to[i * kTile + r] = first + r < rows.rows ? from[(first + r) * rows.stride + i] : 0.0F;
}

inline void unpack_rows(const HeadRows& rows, const float* from, float* to) {
  for (int64_t r = 0; r < rows.rows; ++r)
    for (int64_t i = 0; i < rows.numbers; ++i) to[r * rows.stride + i] = from[r * rows.width() + i];
}

inline void clear(float* to, int64_t floats) {
  for (int64_t i = 0; i < floats; ++i) to[i] = 0;
}

}  // namespace
}  // namespace plimsoll
