// The gradient noise scale on problems whose answer is known.
#include "run/train/gradient_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace plimsoll {
namespace {

using Vector = std::vector<double>;

double square(const Vector& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return sum;
}

// Linear regression with inputs from N(0, I) in n dimensions and errors from N(0, σ²), at a distance d from the
// solution. A sample's gradient is x(x·d) - xε, so the true one is d and the noise (n+1)|d|² + nσ².
struct Regression {
  Vector distance;
  double error = 1;
  std::mt19937_64 random;

  double answer() const {
    const auto n = double(distance.size());
    return ((n + 1) * square(distance) + n * error * error) / square(distance);
  }

  Vector gradient(int64_t samples) {
    std::normal_distribution<double> normal;
    Vector sum(distance.size());
    for (int64_t sample = 0; sample < samples; ++sample) {
      Vector x(distance.size());
      double along = -error * normal(random);
      for (size_t i = 0; i < x.size(); ++i) along += (x[i] = normal(random)) * distance[i];
      for (size_t i = 0; i < x.size(); ++i) sum[i] += x[i] * along / double(samples);
    }
    return sum;
  }

  // A step of several workers, each with samples of its own.
  void step(GradientNoise& noise, int64_t workers, int64_t batch) {
    Vector mean(distance.size());
    double small = 0;
    for (int64_t worker = 0; worker < workers; ++worker) {
      const Vector own = gradient(batch);
      small += square(own) / double(workers);
      for (size_t i = 0; i < mean.size(); ++i) mean[i] += own[i] / double(workers);
    }
    noise.add(small, double(batch), square(mean), double(batch * workers));
  }
};

TEST(GradientNoise, OneStepByHand) {
  // |G|² + S/10 = 11 and |G|² + S/40 = 3.5 give |G|² = 1 and S = 100.
  GradientNoise noise;
  for (int step = 0; step < 20; ++step) noise.add(11, 10, 3.5, 40);
  const auto scale = noise.scale();
  ASSERT_TRUE(scale);
  EXPECT_NEAR(scale->signal, 1, 1e-9);
  EXPECT_NEAR(scale->noise, 100, 1e-9);
  EXPECT_NEAR(scale->samples, 100, 1e-9);
  EXPECT_NEAR(scale->low, 100, 1e-3);
  EXPECT_NEAR(scale->high, 100, 1e-3);
  EXPECT_EQ(scale->steps, 20);
}

TEST(GradientNoise, WithinFivePercentOfAKnownAnswer) {
  Regression problem{.distance = Vector(10, 0.1), .error = 0.5, .random = std::mt19937_64(1)};
  EXPECT_NEAR(problem.answer(), 36, 1e-9);
  for (const int64_t workers : {2, 8}) {
    GradientNoise noise(1500);
    for (int step = 0; step < 2000; ++step) problem.step(noise, workers, 32);
    const auto scale = noise.scale();
    ASSERT_TRUE(scale);
    EXPECT_NEAR(scale->samples, 36, 0.05 * 36) << workers;
    EXPECT_GT(scale->low, 0.9 * 36) << workers;
    EXPECT_LT(scale->high, 1.1 * 36) << workers;
    EXPECT_FALSE(noise.same_data());
  }
}

// Of a hundred runs about 95 hold the answer in their interval.
TEST(GradientNoise, TheIntervalHoldsTheAnswer) {
  Regression problem{.distance = Vector(10, 0.1), .error = 0.5, .random = std::mt19937_64(2)};
  int holds = 0;
  for (int run = 0; run < 100; ++run) {
    GradientNoise noise(200);
    for (int step = 0; step < 150; ++step) problem.step(noise, 4, 8);
    const auto scale = noise.scale();
    if (scale && scale->low <= problem.answer() && problem.answer() <= scale->high) ++holds;
  }
  EXPECT_GE(holds, 88);
  EXPECT_LE(holds, 100);
}

TEST(GradientNoise, FollowsAProblemThatChanges) {
  Regression problem{.distance = Vector(10, 0.1), .error = 0.5, .random = std::mt19937_64(3)};
  GradientNoise noise(500);
  for (int step = 0; step < 500; ++step) problem.step(noise, 4, 32);
  EXPECT_LT(noise.scale()->high, 60);
  problem.distance = Vector(10, 0.05);  // nearer to the solution: more noise for less signal
  for (int step = 0; step < 2000; ++step) problem.step(noise, 4, 32);
  EXPECT_NEAR(noise.scale()->samples, problem.answer(), 0.1 * problem.answer());
}

// Where the batches are far too small to see the gradient, the upper end of the interval says so.
TEST(GradientNoise, AnUnknownSignalHasNoUpperEnd) {
  Regression problem{.distance = Vector(10, 0.001), .error = 1, .random = std::mt19937_64(4)};
  int known = 0;  // by chance one in forty
  for (int run = 0; run < 20; ++run) {
    GradientNoise noise;
    for (int step = 0; step < 20; ++step) problem.step(noise, 2, 4);
    const auto scale = noise.scale();
    if (scale && !std::isinf(scale->high)) ++known;
  }
  EXPECT_LE(known, 3);
}

// Workers that draw the same samples have the same gradients, but for rounding.
TEST(GradientNoise, SameDataIsNoticed) {
  Regression problem{.distance = Vector(10, 0.1), .error = 0.5, .random = std::mt19937_64(5)};
  GradientNoise same, different;
  for (int step = 0; step < 30; ++step) {
    const double square_of_all = square(problem.gradient(64));
    same.add(square_of_all * (1 + 1e-6), 64, square_of_all, 512);
    problem.step(different, 8, 64);
  }
  EXPECT_TRUE(same.same_data());
  EXPECT_LT(same.scale()->high, 1);
  EXPECT_FALSE(different.same_data());
}

TEST(GradientNoise, StepsThatSayNothingDoNotCount) {
  GradientNoise noise;
  noise.add(NAN, 1, 1, 2);
  noise.add(1, 1, INFINITY, 2);
  noise.add(1, 8, 1, 8);
  noise.add(1, 0, 1, 8);
  EXPECT_EQ(noise.steps(), 0);
  EXPECT_FALSE(noise.scale());
  EXPECT_FALSE(noise.same_data());
}

}  // namespace
}  // namespace plimsoll
