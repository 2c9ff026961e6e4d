// Surface: a loss as a function of many numbers, and what is asked of its shape around a point: how sharply it rises
// (Keskar et al. 2017), and what it looks like along a direction.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"

namespace plimsoll {

using Point = std::vector<float>;

class Surface {
 public:
  virtual ~Surface() = default;
  virtual Result<double> loss(const Point& at) = 0;
  // `gradient` has as many numbers as `at`.
  virtual Result<double> loss(const Point& at, Point& gradient) = 0;
};

struct Sharpness {
  double epsilon = 0;
  double loss = 0;       // the highest that was found in the box
  double sharpness = 0;  // in percent: how far it is above the loss at the point, of 1 + that
};

// The box reaches epsilon (|w| + 1) from the point in every coordinate. The highest loss in it is searched for by
// `steps` steps uphill, each by signs of the gradient and cut off at the box, from a random place in it; so what is
// found is a lower bound. A loss that is not a number anywhere is infinite.
Result<Sharpness> sharpness(Surface& surface, const Point& at, double epsilon, int steps, uint64_t seed);

// The loss at `at` + each of `positions` × `direction`.
Result<std::vector<double>> losses_along(Surface& surface, const Point& at, const Point& direction,
                                         std::span<const double> positions);

}  // namespace plimsoll
