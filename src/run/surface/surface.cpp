#include "run/surface/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace plimsoll {
namespace {

constexpr float kStride = 0.5f;  // of the box's half width; two steps reach its edge from the middle

double finite_or_infinite(double loss) { return std::isfinite(loss) ? loss : std::numeric_limits<double>::infinity(); }

// Coordinates within the box around a point.
class Box {
 public:
  Box(const Point& middle, double epsilon) : middle_(middle), epsilon_(float(epsilon)) {}

  Point somewhere(uint64_t seed) const {
    std::mt19937_64 random(seed);
    Point point(middle_.size());
    for (size_t i = 0; i < point.size(); ++i) {
      const float share = float(random() >> 40) / float(1 << 23) - 1;  // from -1 to 1
      point[i] = middle_[i] + share * half_width(i);
    }
    return point;
  }

  void climb(Point& point, const Point& gradient) const {
    for (size_t i = 0; i < point.size(); ++i) {
      const float width = half_width(i), sign = gradient[i] > 0 ? 1.0f : gradient[i] < 0 ? -1.0f : 0.0f;
      point[i] = std::clamp(point[i] + sign * kStride * width, middle_[i] - width, middle_[i] + width);
    }
  }

 private:
  float half_width(size_t i) const { return epsilon_ * (std::abs(middle_[i]) + 1); }

  const Point& middle_;
  float epsilon_;
};

}  // namespace

Result<Sharpness> sharpness(Surface& surface, const Point& at, double epsilon, int steps, uint64_t seed) {
  PLIM_ASSIGN(const double here, surface.loss(at));
  const Box box(at, epsilon);
  Point point = box.somewhere(seed), gradient(at.size());
  double highest = here;
  for (int step = 0; step < steps; ++step) {
    PLIM_ASSIGN(const double loss, surface.loss(point, gradient));
    highest = std::max(highest, finite_or_infinite(loss));
    box.climb(point, gradient);
  }
  PLIM_ASSIGN(const double last, surface.loss(point));
  highest = std::max(highest, finite_or_infinite(last));
  return Sharpness{epsilon, highest, (highest - here) / (1 + here) * 100};
}

Result<std::vector<double>> losses_along(Surface& surface, const Point& at, const Point& direction,
                                         std::span<const double> positions) {
  std::vector<double> losses;
  Point point(at.size());
  for (const double position : positions) {
    for (size_t i = 0; i < at.size(); ++i) point[i] = at[i] + float(position) * direction[i];
    PLIM_ASSIGN(const double loss, surface.loss(point));
    losses.push_back(loss);
  }
  return losses;
}

}  // namespace plimsoll
