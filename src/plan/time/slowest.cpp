#include "plan/time/slowest.h"

#include <cmath>

namespace plimsoll {
namespace {

// The number below which a normal distribution has this share of its values.
double normal_quantile(double share) {
  double low = -10, high = 10;
  for (int round = 0; round < 60; ++round) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

// Blom 1958.
double slowest_of(int64_t count) {
  if (count <= 1) return 0;
  return normal_quantile((double(count) - 0.375) / (double(count) + 0.25));
}

}  // namespace plimsoll
