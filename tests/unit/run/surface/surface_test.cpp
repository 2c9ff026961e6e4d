#include "run/surface/surface.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll {
namespace {

// Half of the sum of stiffness × distance², from `bottom`.
class Bowl : public Surface {
 public:
  Bowl(Point stiffness, Point bottom) : stiffness_(std::move(stiffness)), bottom_(std::move(bottom)) {}

  Result<double> loss(const Point& at) override {
    double sum = 0;
    for (size_t i = 0; i < at.size(); ++i) sum += 0.5 * stiffness_[i] * std::pow(double(at[i]) - bottom_[i], 2);
    return sum;
  }
  Result<double> loss(const Point& at, Point& gradient) override {
    for (size_t i = 0; i < at.size(); ++i) gradient[i] = stiffness_[i] * (at[i] - bottom_[i]);
    return loss(at);
  }

 private:
  Point stiffness_, bottom_;
};

TEST(Sharpness, OfABowlIsThatOfItsCorner) {
  const Point bottom{0, 1, -3};
  Bowl bowl({1, 2, 4}, bottom);
  const auto found = sharpness(bowl, bottom, 0.01, 10, 7);
  ASSERT_TRUE(found.ok());
  // Widths 0.01 × (1, 2, 4), so half of 1×0.01² + 2×0.02² + 4×0.04².
  const double corner = 0.5 * (1e-4 + 2 * 4e-4 + 4 * 16e-4);
  EXPECT_NEAR(found->loss, corner, 1e-5 * corner);
  EXPECT_NEAR(found->sharpness, 100 * corner, 1e-5);
}

TEST(Sharpness, StiffnessTimesTenIsTenTimesAsSharp) {
  const Point bottom{0, 0};
  Bowl flat({1, 1}, bottom), steep({10, 10}, bottom);
  EXPECT_NEAR(sharpness(steep, bottom, 0.001, 10, 1)->sharpness / sharpness(flat, bottom, 0.001, 10, 1)->sharpness, 10,
              1e-3);
}

TEST(Sharpness, StaysInTheBoxOnASlope) {
  Bowl bowl({2}, {0});
  const auto found = sharpness(bowl, {1}, 0.1, 20, 3);  // the box is 1 ± 0.2
  EXPECT_NEAR(found->loss, 1.44, 1e-5);
  EXPECT_NEAR(found->sharpness, 100 * 0.44 / 2, 1e-3);
}

TEST(Sharpness, ALossThatIsNoNumberIsInfinite) {
  class Cliff : public Bowl {
   public:
    using Bowl::Bowl;
    using Bowl::loss;
    Result<double> loss(const Point& at) override { return at[0] == 0 ? 0.0 : std::nan(""); }
  };
  Cliff cliff({1}, {0});
  EXPECT_TRUE(std::isinf(sharpness(cliff, {0}, 0.01, 2, 1)->loss));
}

TEST(LossesAlong, AreThoseAtThePlaces) {
  Bowl bowl({2, 2}, {0, 0});
  const double positions[] = {-1, 0, 0.5};
  const auto losses = losses_along(bowl, {1, 0}, {1, 2}, positions);
  ASSERT_TRUE(losses.ok());
  EXPECT_NEAR((*losses)[0], 4, 1e-6);
  EXPECT_NEAR((*losses)[1], 1, 1e-6);
  EXPECT_NEAR((*losses)[2], 3.25, 1e-6);
}

}  // namespace
}  // namespace plimsoll
