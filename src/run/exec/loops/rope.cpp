#include "run/exec/loops/rope.h"

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

PLIM_CLONES void turn_halves(const float* x, const float* cosines, const float* sines, float direction, int64_t half,
                             float* y) {
#pragma omp simd
  for (int64_t i = 0; i < half; ++i) {
    const float first = x[i], second = x[i + half], sine = direction * sines[i];
    y[i] = cosines[i] * first - sine * second;
    y[i + half] = sine * first + cosines[i] * second;
  }
}

PLIM_CLONES void turn_neighbours(const float* x, const float* cosines, const float* sines, float direction,
                                 int64_t half, float* y) {
  for (int64_t i = 0; i < half; ++i) {
    const float first = x[2 * i], second = x[2 * i + 1], sine = direction * sines[i];
    y[2 * i] = cosines[i] * first - sine * second;
    y[2 * i + 1] = sine * first + cosines[i] * second;
  }
}

}  // namespace

void rope(const RopeShape& s, const RopeTables& tables, const float* x, float* y) {
  parallel_items(s.tokens() * s.heads, s.tokens() * s.heads * s.head, [&](int64_t item) {
    const int64_t place = item / s.heads, h = item % s.heads;  // a token, and a head of it
    const int64_t n = place / s.sequence, t = place % s.sequence;
    const int64_t at = (s.heads_first ? (n * s.heads + h) * s.sequence + t : item) * s.head;
    const int64_t row =
        tables.row_of ? std::clamp<int64_t>(tables.row_of[place], 0, tables.rows - 1) : place % tables.rows;
    const float *cosines = tables.cosines + row * s.half, *sines = tables.sines + row * s.half;
    const auto turn = s.interleaved ? turn_neighbours : turn_halves;
    turn(x + at, cosines, sines, s.direction, s.half, y + at);
    if (x != y) std::copy(x + at + 2 * s.half, x + at + s.head, y + at + 2 * s.half);
  });
}

}  // namespace plimsoll
