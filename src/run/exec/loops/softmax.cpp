#include "run/exec/loops/softmax.h"

#include <algorithm>
#include <cmath>

#include "run/exec/loops/exponential.h"
#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

PLIM_CLONES float largest_of(const float* x, int64_t count) {
  float largest = x[0];
#pragma omp simd reduction(max : largest)
  for (int64_t i = 0; i < count; ++i) largest = largest < x[i] ? x[i] : largest;
  return largest;
}

PLIM_CLONES float sum_of_exponentials(const float* x, float largest, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) {
    PLIM_EXPONENTIAL(power, x[i] - largest);
    sum += power;
  }
  return sum;
}

PLIM_CLONES void scale(float* y, float factor, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) y[i] *= factor;
}

PLIM_CLONES void shift(const float* x, float by, int64_t count, float* y) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] - by;
}

PLIM_CLONES void softmax_back(const float* dy, const float* y, int64_t count, float* dx) {
  float along = 0;
#pragma omp simd reduction(+ : along)
  for (int64_t i = 0; i < count; ++i) along += dy[i] * y[i];
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) dx[i] = (dy[i] - along) * y[i];
}

PLIM_CLONES void log_softmax_back(const float* dy, const float* y, int64_t count, float* dx) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += dy[i];
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    PLIM_EXPONENTIAL(power, y[i]);
    dx[i] = dy[i] - power * sum;
  }
}

constexpr int64_t kRun = 512;  // numbers that are summed in single precision

template <class F>
void for_rows(const Rows& rows, F&& f) {
  parallel_items(rows.count, rows.count * rows.length, [&](int64_t row) { f(row * rows.length); });
}

}  // namespace

PLIM_CLONES float exponentials(const float* x, float largest, int64_t count, float* y) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) {
    PLIM_EXPONENTIAL(power, x[i] - largest);
    y[i] = power;
    sum += power;
  }
  return sum;
}

PLIM_CLONES void shares_back(const float* logs, float elsewhere, float factor, int64_t count, float* dx) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    PLIM_EXPONENTIAL(power, logs[i]);
    dx[i] = (power - elsewhere) * factor;
  }
}

double log_of_powers(const float* x, int64_t count) {
  const float largest = largest_of(x, count);
  double sum = 0;
  for (int64_t from = 0; from < count; from += kRun)
    sum += double(sum_of_exponentials(x + from, largest, std::min(kRun, count - from)));
  return double(largest) + std::log(sum);
}

int64_t first_largest(const float* x, int64_t count) {
  const float* found = std::find(x, x + count, largest_of(x, count));
  return found == x + count ? 0 : found - x;
}

void log_softmax_row(const float* x, int64_t count, float* y) { shift(x, float(log_of_powers(x, count)), count, y); }

void softmax_rows(const Rows& rows, const float* x, float* y) {
  for_rows(rows, [&](int64_t at) {
    const float sum = exponentials(x + at, largest_of(x + at, rows.length), rows.length, y + at);
    scale(y + at, 1 / sum, rows.length);
  });
}

void softmax_rows_back(const Rows& rows, const float* dy, const float* y, float* dx) {
  for_rows(rows, [&](int64_t at) { softmax_back(dy + at, y + at, rows.length, dx + at); });
}

void log_softmax_rows(const Rows& rows, const float* x, float* y) {
  for_rows(rows, [&](int64_t at) { log_softmax_row(x + at, rows.length, y + at); });
}

void log_softmax_rows_back(const Rows& rows, const float* dy, const float* y, float* dx) {
  for_rows(rows, [&](int64_t at) { log_softmax_back(dy + at, y + at, rows.length, dx + at); });
}

}  // namespace plimsoll
