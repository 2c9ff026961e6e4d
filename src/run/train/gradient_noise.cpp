#include "run/train/gradient_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

constexpr int64_t kFewestSteps = 10;
constexpr double kDeviations = 1.96;  // of a 95 % interval

// Far above the rounding of sums in f32, far below what different samples give: their noise scale would have to be a
// ten-thousandth of a worker's batch.
constexpr double kSame = 1e-4;

struct Interval {
  double low, high;
};

// All r with (noise - r signal)² ≤ z² Var(noise - r signal), the variances being those of the means.
Interval fieller(double signal, double noise, double var_signal, double covariance, double var_noise) {
  constexpr double kSquare = kDeviations * kDeviations, kInfinity = std::numeric_limits<double>::infinity();
  const double a = signal * signal - kSquare * var_signal;
  const double b = signal * noise - kSquare * covariance;
  const double c = noise * noise - kSquare * var_noise;
  if (a <= 0) return {0, kInfinity};
  const double root = std::sqrt(std::max(0.0, b * b - a * c));
  return {std::max(0.0, (b - root) / a), std::max(0.0, (b + root) / a)};
}

}  // namespace

void GradientNoise::add(double small_square, double small_batch, double big_square, double big_batch) {
  if (!std::isfinite(small_square) || !std::isfinite(big_square) || !(small_batch > 0) || !(big_batch > small_batch))
    return;
  const double signal = (big_batch * big_square - small_batch * small_square) / (big_batch - small_batch);
  const double noise = (small_square - big_square) / (1 / small_batch - 1 / big_batch);
  const auto keep = [&](double& sum, double value) { sum = decay_ * sum + (1 - decay_) * value; };
  keep(sums_.weight, 1);
  sums_.square_weight = decay_ * decay_ * sums_.square_weight + (1 - decay_) * (1 - decay_);
  keep(sums_.signal, signal);
  keep(sums_.noise, noise);
  keep(sums_.signal_signal, signal * signal);
  keep(sums_.signal_noise, signal * noise);
  keep(sums_.noise_noise, noise * noise);
  keep(sums_.difference, small_square > 0 ? (small_square - big_square) / small_square : 0);
  ++steps_;
  if (const auto now = scale()) {
    scales_ += now->samples;
    ++scaled_steps_;
  }
}

std::optional<NoiseScale> GradientNoise::scale() const {
  if (steps_ < kFewestSteps) return std::nullopt;
  const double weight = sums_.weight, signal = sums_.signal / weight, noise = sums_.noise / weight;
  if (!(signal > 0)) return std::nullopt;
  // So many independent steps the weights are worth; of a mean the variance is that of a step over them.
  const double worth = weight * weight / sums_.square_weight;
  const auto of_mean = [&](double product, double a, double b) { return (product / weight - a * b) / (worth - 1); };
  const Interval interval =
      fieller(signal, noise, of_mean(sums_.signal_signal, signal, signal), of_mean(sums_.signal_noise, signal, noise),
              of_mean(sums_.noise_noise, noise, noise));
  const double now = std::max(0.0, noise / signal);
  const double average = scaled_steps_ == 0 ? now : scales_ / double(scaled_steps_);
  return NoiseScale{now, interval.low, interval.high, signal, std::max(0.0, noise), average, steps_};
}

bool GradientNoise::same_data() const {
  return steps_ >= kFewestSteps && std::abs(sums_.difference / sums_.weight) < kSame;
}

}  // namespace plimsoll
