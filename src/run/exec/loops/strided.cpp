#include "run/exec/loops/strided.h"

#include <cstring>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

struct Offsets {
  int64_t from = 0, to = 0;
};

int64_t count_of(const std::vector<StridedAxis>& axes, size_t last) {
  int64_t count = 1;
  for (size_t i = 0; i < last; ++i) count *= axes[i].size;
  return count;
}

// Where item `index` of the first `last` axes starts.
Offsets offsets_of(const std::vector<StridedAxis>& axes, size_t last, int64_t index) {
  Offsets at;
  for (size_t i = last; i-- > 0;) {
    const int64_t place = index % axes[i].size;
    index /= axes[i].size;
    at.from += place * axes[i].from;
    at.to += place * axes[i].to;
  }
  return at;
}

void move_row(const float* from, int64_t from_step, float* to, int64_t to_step, int64_t count) {
  if (from_step == 1 && to_step == 1) {
    std::memcpy(to, from, size_t(count) * sizeof(float));
    return;
  }
  for (int64_t i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
}

#define PLIM_COMBINE(name, expression)                                                                     \
  PLIM_CLONES void name(const float* a, int64_t sa, const float* b, int64_t sb, float* y, int64_t count) { \
    if (sa == 1 && sb == 1) {                                                                              \
      _Pragma("omp simd") for (int64_t i = 0; i < count; ++i) {                                            \
        const float l = a[i], r = b[i];                                                                    \
        y[i] = (expression);                                                                               \
      }                                                                                                    \
      return;                                                                                              \
    }                                                                                                      \
    for (int64_t i = 0; i < count; ++i) {                                                                  \
      const float l = a[i * sa], r = b[i * sb];                                                            \
      y[i] = (expression);                                                                                 \
    }                                                                                                      \
  }

PLIM_COMBINE(add_rows, l + r)
PLIM_COMBINE(subtract_rows, l - r)
PLIM_COMBINE(multiply_rows, l* r)
PLIM_COMBINE(divide_rows, l / r)

#undef PLIM_COMBINE

using CombineRows = void (*)(const float*, int64_t, const float*, int64_t, float*, int64_t);

CombineRows rows_of(Pairwise how) {
  switch (how) {
    case Pairwise::add: return add_rows;
    case Pairwise::subtract: return subtract_rows;
    case Pairwise::multiply: return multiply_rows;
    case Pairwise::divide: return divide_rows;
  }
  return add_rows;
}

PLIM_CLONES float sum_run(const float* x, int64_t step, int64_t count) {
  float sum = 0;
  if (step == 1) {
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < count; ++i) sum += x[i];
    return sum;
  }
  for (int64_t i = 0; i < count; ++i) sum += x[i * step];
  return sum;
}

PLIM_CLONES void add_run(const float* x, float* y, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) y[i] += x[i];
}

}  // namespace

int64_t StridedMove::numbers() const { return count_of(axes, axes.size()); }

StridedMove merged(StridedMove move) {
  std::vector<StridedAxis> axes;
  for (const StridedAxis& axis : move.axes) {
    if (axis.size == 1) continue;
    StridedAxis* before = axes.empty() ? nullptr : &axes.back();
    if (before && before->from == axis.from * axis.size && before->to == axis.to * axis.size)
      *before = {before->size * axis.size, axis.from, axis.to};
    else axes.push_back(axis);
  }
  if (axes.empty()) axes.push_back({1, 1, 1});
  move.axes = std::move(axes);
  return move;
}

void move_numbers(const StridedMove& move, const float* from, float* to) {
  const size_t last = move.axes.size() - 1;
  const StridedAxis inner = move.axes[last];
  if (last == 0) {  // one long row is cut for the threads
    parallel_ranges(inner.size, [&](int64_t first, int64_t end) {
      move_row(from + move.from + first * inner.from, inner.from, to + move.to + first * inner.to, inner.to,
               end - first);
    });
    return;
  }
  parallel_items(count_of(move.axes, last), move.numbers(), [&](int64_t row) {
    const Offsets at = offsets_of(move.axes, last, row);
    move_row(from + move.from + at.from, inner.from, to + move.to + at.to, inner.to, inner.size);
  });
}

void combine_strided(const std::vector<StridedAxis>& axes, Pairwise how, const float* a, const float* b, float* y) {
  const CombineRows rows = rows_of(how);
  const size_t last = axes.size() - 1;
  const StridedAxis inner = axes[last];
  const int64_t count = count_of(axes, last);
  parallel_items(count, count * inner.size, [&](int64_t row) {
    const Offsets at = offsets_of(axes, last, row);
    rows(a + at.from, inner.from, b + at.to, inner.to, y + row * inner.size, inner.size);
  });
}

void sum_strided(const std::vector<StridedAxis>& kept, const std::vector<StridedAxis>& summed, const float* x,
                 float* y) {
  const size_t kept_last = kept.size() - 1, summed_last = summed.size() - 1;
  const StridedAxis row = kept[kept_last], inner = summed[summed_last];
  const int64_t rows = count_of(kept, kept_last), runs = count_of(summed, summed.size()),
                numbers = rows * row.size * runs;
  if (row.from == 1) {  // whole rows are added up
    parallel_items(rows, numbers, [&](int64_t r) {
      const float* first = x + offsets_of(kept, kept_last, r).from;
      float* sums = y + r * row.size;
      for (int64_t k = 0; k < row.size; ++k) sums[k] = 0;
      for (int64_t s = 0; s < runs; ++s) add_run(first + offsets_of(summed, summed.size(), s).from, sums, row.size);
    });
    return;
  }
  const int64_t outer = count_of(summed, summed_last);
  parallel_items(rows * row.size, numbers, [&](int64_t k) {
    const float* first = x + offsets_of(kept, kept.size(), k).from;
    float sum = 0;
    for (int64_t s = 0; s < outer; ++s)
      sum += sum_run(first + offsets_of(summed, summed_last, s).from, inner.from, inner.size);
    y[k] = sum;
  });
}

void fill_zero(float* to, int64_t numbers) {
  parallel_ranges(numbers,
                  [&](int64_t from, int64_t end) { std::memset(to + from, 0, size_t(end - from) * sizeof(float)); });
}

}  // namespace plimsoll
