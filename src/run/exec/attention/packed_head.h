// One head's rows of a tensor, one after the other, padded with zeros to as many rows as a product computes at a time,
// and to whole vectors.
#pragma once

#include <utility>

#include "run/exec/attention/attention.h"
#include "run/exec/attention/tile_product.h"

namespace plimsoll {
namespace {

// Queries, and keys, of a tile.
inline int64_t tile_of(const TiledAttention& a) {
  return a.sequence <= kOnlyTile && a.seen <= kOnlyTile ? kOnlyTile : kTile;
}

inline int64_t whole_rows(int64_t rows) { return blocks_of(rows, kTileRows) * kTileRows; }
inline int64_t whole_vectors(int64_t numbers) { return blocks_of(numbers, kLanes) * kLanes; }
inline int64_t floats_of(int64_t rows, int64_t numbers) { return whole_rows(rows) * whole_vectors(numbers); }

// Rows of a head in its tensor.
struct HeadRows {
  int64_t rows, numbers, stride;

  int64_t width() const { return whole_vectors(numbers); }
};

inline void clear(float* to, int64_t floats) {
  for (int64_t i = 0; i < floats; ++i) to[i] = 0;
}

inline void copy_row(const float* from, int64_t numbers, float factor, float* to) {
  int64_t i = 0;
  for (; i + kLanes <= numbers; i += kLanes) store(to + i, factor * load(from + i));
  for (; i < numbers; ++i) to[i] = factor * from[i];
}

inline void pack_rows(const HeadRows& rows, const float* from, float factor, float* to) {
  const int64_t width = rows.width();
  for (int64_t r = 0; r < rows.rows; ++r, to += width) {
    copy_row(from + r * rows.stride, rows.numbers, factor, to);
    for (int64_t i = rows.numbers; i < width; ++i) to[i] = 0;
  }
  clear(to, (whole_rows(rows.rows) - rows.rows) * width);
}

inline void unpack_rows(const HeadRows& rows, const float* from, float* to) {
  for (int64_t r = 0; r < rows.rows; ++r) copy_row(from + r * rows.width(), rows.numbers, 1, to + r * rows.stride);
}

using Whole = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));

// Two rows after a quarter of the square has changed its place: from `above` the lanes without that bit, and from
// `below` as many, which come between them; or those with it.
template <int bit, int... lanes>
PLIM_INLINE Vec upper_row(Vec above, Vec below, std::integer_sequence<int, lanes...>) {
  return __builtin_shufflevector(above, below, ((lanes & bit) != 0 ? kLanes + lanes - bit : lanes)...);
}
template <int bit, int... lanes>
PLIM_INLINE Vec lower_row(Vec above, Vec below, std::integer_sequence<int, lanes...>) {
  return __builtin_shufflevector(above, below, ((lanes & bit) != 0 ? kLanes + lanes : lanes + bit)...);
}

// A square of vectors: columns whose number has that bit, and rows whose number has it, change places.
template <int bit>
PLIM_INLINE void swap_quarters(Vec (&rows)[kLanes]) {
  constexpr auto lanes = std::make_integer_sequence<int, kLanes>();
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) {
    if ((i & bit) != 0) continue;
    const Vec above = rows[i], below = rows[i + bit];
    rows[i] = upper_row<bit>(above, below, lanes);
    rows[i + bit] = lower_row<bit>(above, below, lanes);
  }
}

// As many rows as a vector has numbers, turned.
inline void turn_square(const float* from, int64_t stride, float* to, int64_t to_stride) {
  Vec rows[kLanes];
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) rows[i] = load(from + i * stride);
  swap_quarters<1>(rows);
  swap_quarters<2>(rows);
  swap_quarters<4>(rows);
  if constexpr (kLanes == 16) swap_quarters<8>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) store(to + i * to_stride, rows[i]);
}

// Up to a vector of rows, turned: numbers x kTileStride. What is missing is zero.
inline void turn_rows(const float* from, int64_t stride, int64_t count, int64_t numbers, float* to) {
  int64_t i = 0;
  for (; count == kLanes && i + kLanes <= numbers; i += kLanes)
    turn_square(from + i, stride, to + i * kTileStride, kTileStride);
  for (; i < numbers; ++i) {
    store(to + i * kTileStride, Vec{});
    for (int64_t r = 0; r < count; ++r) to[i * kTileStride + r] = from[r * stride + i];
  }
}

// The tile that begins with a row, where all are turned.
inline int64_t turned_at(int64_t tile, int64_t row, int64_t numbers) { return row / tile * numbers * kTileStride; }
inline int64_t turned_floats(int64_t tile, int64_t rows, int64_t numbers) {
  return blocks_of(rows, tile) * numbers * kTileStride;
}

// Tile by tile, each turned: numbers x kTileStride. After a tile's own rows come zeros, or rows of the next tile, as
// many as make its last vector whole.
inline void pack_turned(int64_t tile, const HeadRows& rows, const float* from, float* to) {
  for (int64_t first = 0; first < rows.rows; first += tile, to += rows.numbers * kTileStride)
    for (int64_t r = 0; r < tile; r += kLanes) {
      const int64_t left = rows.rows - first - r, count = left < 0 ? 0 : left > kLanes ? kLanes : left;
      turn_rows(from + (first + r) * rows.stride, rows.stride, count, rows.numbers, to + r);
    }
}

}  // namespace
}  // namespace plimsoll
