#include "run/exec/loops/sums.h"

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

PLIM_CLONES float sum_row(const float* x, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += x[i];
  return sum;
}

// sums[k] of rows that are `stride` apart, for k in [from, to)
PLIM_CLONES void sum_columns(const float* x, int64_t rows, int64_t stride, int64_t from, int64_t to, float* sums) {
  for (int64_t k = from; k < to; ++k) sums[k] = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = x + r * stride;
#pragma omp simd
    for (int64_t k = from; k < to; ++k) sums[k] += row[k];
  }
}

#define PLIM_AROUND(name, expression)                                                       \
  PLIM_CLONES void name##_one(const float* a, float p, float* y, int64_t count) {           \
    _Pragma("omp simd") for (int64_t i = 0; i < count; ++i) {                               \
      const float x = a[i];                                                                 \
      y[i] = (expression);                                                                  \
    }                                                                                       \
  }                                                                                         \
  PLIM_CLONES void name##_row(const float* a, const float* part, float* y, int64_t count) { \
    _Pragma("omp simd") for (int64_t i = 0; i < count; ++i) {                               \
      const float x = a[i], p = part[i];                                                    \
      y[i] = (expression);                                                                  \
    }                                                                                       \
  }

PLIM_AROUND(add, x + p)
PLIM_AROUND(subtract, x - p)
PLIM_AROUND(subtract_from, p - x)
PLIM_AROUND(multiply, x* p)
PLIM_AROUND(divide, x / p)

#undef PLIM_AROUND

struct AroundLoops {
  void (*one)(const float*, float, float*, int64_t);
  void (*row)(const float*, const float*, float*, int64_t);
};

AroundLoops loops_of(Broadcast how) {
  switch (how) {
    case Broadcast::add: return {add_one, add_row};
    case Broadcast::subtract: return {subtract_one, subtract_row};
    case Broadcast::subtract_from: return {subtract_from_one, subtract_from_row};
    case Broadcast::multiply: return {multiply_one, multiply_row};
    case Broadcast::divide: return {divide_one, divide_row};
  }
  return {add_one, add_row};
}

}  // namespace

std::optional<KeptAxes> kept_axes(const Shape& whole, const Shape& part) {
  const int lead = whole.rank() - part.rank();
  if (lead < 0) return std::nullopt;
  KeptAxes axes;
  bool seen = false, over = false;
  for (int i = 0; i < whole.rank(); ++i) {
    if (whole[i] == 1) continue;
    const bool kept = i >= lead && part[i - lead] == whole[i];
    if (!kept && i >= lead && part[i - lead] != 1) return std::nullopt;
    if (kept && over) return std::nullopt;
    if (kept) {
      axes.kept *= whole[i];
      seen = true;
    } else if (seen) {
      axes.after *= whole[i];
      over = true;
    } else {
      axes.before *= whole[i];
    }
  }
  return axes;
}

void sum_around(const KeptAxes& axes, const float* x, float* sums, float* work) {
  const int64_t rows = axes.before * axes.kept, numbers = rows * axes.after;
  const float* partial = x;
  if (axes.after > 1) {
    float* into = axes.before > 1 ? work : sums;
    parallel_items(rows, numbers, [&](int64_t r) { into[r] = sum_row(x + r * axes.after, axes.after); });
    partial = into;
    if (axes.before == 1) return;
  }
  const auto columns = [&](int64_t from, int64_t to) { sum_columns(partial, axes.before, axes.kept, from, to, sums); };
  // Few columns of many rows are not worth a thread each; many are.
  if (axes.kept * axes.before >= kWorthThreads && axes.kept >= 64) {
    parallel_ranges(axes.kept, axes.kept * axes.before, columns);
  } else {
    columns(0, axes.kept);
  }
}

void apply_around(const KeptAxes& axes, Broadcast how, const float* x, const float* part, float* y) {
  const AroundLoops loops = loops_of(how);
  const int64_t numbers = axes.before * axes.kept * axes.after;
  if (axes.after > 1) {
    parallel_items(axes.before * axes.kept, numbers, [&](int64_t r) {
      loops.one(x + r * axes.after, part[r % axes.kept], y + r * axes.after, axes.after);
    });
    return;
  }
  // One row of `kept` numbers at a time; a single long row is cut for the threads.
  if (axes.before == 1) {
    parallel_ranges(axes.kept,
                    [&](int64_t from, int64_t to) { loops.row(x + from, part + from, y + from, to - from); });
    return;
  }
  parallel_items(axes.before, numbers,
                 [&](int64_t r) { loops.row(x + r * axes.kept, part, y + r * axes.kept, axes.kept); });
}

}  // namespace plimsoll
