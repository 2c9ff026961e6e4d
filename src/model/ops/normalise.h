// Mean and variance of a set of numbers, for the normalisations.
#pragma once

#include <cmath>
#include <cstdint>

namespace plimsoll {

struct Moments {
  double mean = 0, variance = 0;  // the variance of the population: divided by the count

  double inverse_deviation(double epsilon) const { return 1 / std::sqrt(variance + epsilon); }
};

// number(i) for i in [0, count). In two passes: one would cancel where the mean is large.
template <class F>
Moments moments(int64_t count, F&& number) {
  Moments result;
  for (int64_t i = 0; i < count; ++i) result.mean += number(i);
  result.mean /= double(count);
  for (int64_t i = 0; i < count; ++i) {
    const double distance = number(i) - result.mean;
    result.variance += distance * distance;
  }
  result.variance /= double(count);
  return result;
}

}  // namespace plimsoll
