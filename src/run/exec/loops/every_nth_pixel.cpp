#include "run/exec/loops/every_nth_pixel.h"

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

// f(row of the picture, row of the thin one), for all rows that remain.
template <class F>
void for_rows(const PixelStride& t, F&& f) {
  const int64_t rows = t.pictures * t.thin_height, thin_row = t.thin_width * t.numbers;
  parallel_items(rows, rows * thin_row, [&](int64_t row) {
    const int64_t picture = row / t.thin_height, y = row % t.thin_height * t.row_stride;
    f((picture * t.height + y) * t.width * t.numbers, row * thin_row);
  });
}

PLIM_CLONES void copy(const float* from, int64_t from_step, int64_t places, int64_t numbers, int64_t to_step,
                      float* to) {
  for (int64_t place = 0; place < places; ++place)
#pragma omp simd
    for (int64_t i = 0; i < numbers; ++i) to[place * to_step + i] = from[place * from_step + i];
}

}  // namespace

void take_every_nth(const PixelStride& t, const float* whole, float* thin) {
  for_rows(t, [&](int64_t from, int64_t to) {
    copy(whole + from, t.column_stride * t.numbers, t.thin_width, t.numbers, t.numbers, thin + to);
  });
}

void put_every_nth(const PixelStride& t, const float* thin, float* whole) {
  parallel_ranges(t.pictures * t.height * t.width * t.numbers,
                  [&](int64_t from, int64_t to) { std::fill(whole + from, whole + to, 0.0F); });
  for_rows(t, [&](int64_t to, int64_t from) {
    copy(thin + from, t.numbers, t.thin_width, t.numbers, t.column_stride * t.numbers, whole + to);
  });
}

}  // namespace plimsoll
