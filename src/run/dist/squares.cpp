#include "run/dist/squares.h"

#include <cstddef>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

constexpr size_t kBeside = 32;  // sums beside each other: as many as keep the widest vectors busy

PLIM_INLINE inline double total(const double* lanes) {
  double sum = 0;
  for (size_t j = 0; j < kBeside; ++j) sum += lanes[j];
  return sum;
}

}  // namespace

PLIM_CLONES double square_of(std::span<const float> numbers) {
  double lanes[kBeside] = {};
  const float* const x = numbers.data();
  const size_t whole = numbers.size() / kBeside * kBeside;
  for (size_t i = 0; i < whole; i += kBeside) {
#pragma omp simd
    for (size_t j = 0; j < kBeside; ++j) lanes[j] += double(x[i + j]) * double(x[i + j]);
  }
  for (size_t i = whole; i < numbers.size(); ++i) lanes[i - whole] += double(x[i]) * double(x[i]);
  return total(lanes);
}

PLIM_CLONES double scale_to_square(std::span<float> numbers, float factor) {
  double lanes[kBeside] = {};
  float* const x = numbers.data();
  const size_t whole = numbers.size() / kBeside * kBeside;
  for (size_t i = 0; i < whole; i += kBeside) {
#pragma omp simd
    for (size_t j = 0; j < kBeside; ++j) {
      x[i + j] *= factor;
      lanes[j] += double(x[i + j]) * double(x[i + j]);
    }
  }
  for (size_t i = whole; i < numbers.size(); ++i) {
    x[i] *= factor;
    lanes[i - whole] += double(x[i]) * double(x[i]);
  }
  return total(lanes);
}

PLIM_CLONES double add_to_sum(std::span<float> sum, std::span<const float> numbers) {
  double lanes[kBeside] = {};
  const float* const x = numbers.data();
  float* const to = sum.data();
  const size_t whole = numbers.size() / kBeside * kBeside;
  for (size_t i = 0; i < whole; i += kBeside) {
#pragma omp simd
    for (size_t j = 0; j < kBeside; ++j) {
      to[i + j] += x[i + j];
      lanes[j] += double(x[i + j]) * double(x[i + j]);
    }
  }
  for (size_t i = whole; i < numbers.size(); ++i) {
    to[i] += x[i];
    lanes[i - whole] += double(x[i]) * double(x[i]);
  }
  return total(lanes);
}

}  // namespace plimsoll
