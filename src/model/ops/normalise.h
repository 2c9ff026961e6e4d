// Mean and variance of a set of numbers, and what the normalisations do with them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/shape.h"

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

// The `count` numbers at x to mean 0 and variance 1; answers with what they had.
inline Moments normalise(double* x, int64_t count, double epsilon) {
  const Moments had = moments(count, [&](int64_t i) { return x[i]; });
  for (int64_t i = 0; i < count; ++i) x[i] = (x[i] - had.mean) * had.inverse_deviation(epsilon);
  return had;
}

// The backward pass through normalise(), in place: dx = (d - mean d - n · mean(d · n)) / deviation, with d = dy · scale
// and n = x normalised.
inline void normalised_back(double* d, const double* normal, int64_t length, double inverse) {
  double sum = 0, along = 0;
  for (int64_t i = 0; i < length; ++i) {
    sum += d[i];
    along += d[i] * normal[i];
  }
  for (int64_t i = 0; i < length; ++i) d[i] = inverse * (d[i] - (sum + normal[i] * along) / double(length));
}

// x · scale + bias in a tensor (batch, channels, spatial …), both given per channel or for equal
// groups of channels.
inline void scale_and_shift(std::vector<double>& x, const Shape& shape, const std::vector<double>& scale,
                            const std::vector<double>& bias) {
  const int64_t channels = shape[1], plane = shape.elements(2, shape.rank()).value();
  for (int64_t i = 0; i < int64_t(x.size()); ++i) {
    const int64_t c = i / plane % channels;
    const auto part = [&](const std::vector<double>& numbers) {
      return numbers[size_t(c) * numbers.size() / size_t(channels)];
    };
    x[size_t(i)] = x[size_t(i)] * part(scale) + part(bias);
  }
}

}  // namespace plimsoll
