#include "run/measure/augment.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll {
namespace {

constexpr int kSide = kAugmentedSide;

// The point (x, y) of a picture of three channels, between its pixels; outside, the edge.
template <class Number>
void sample(const Number* pixels, int width, int height, double x, double y, float* into) {
  x = std::clamp(x, 0.0, double(width - 1));
  y = std::clamp(y, 0.0, double(height - 1));
  const int left = int(x), top = int(y), right = std::min(left + 1, width - 1), bottom = std::min(top + 1, height - 1);
  const auto u = float(x - left), v = float(y - top);
  const auto at = [&](int column, int row) { return pixels + (size_t(row) * size_t(width) + size_t(column)) * 3; };
  const Number *a = at(left, top), *b = at(right, top), *c = at(left, bottom), *d = at(right, bottom);
  for (int channel = 0; channel < 3; ++channel)
    into[channel] = (1 - v) * ((1 - u) * float(a[channel]) + u * float(b[channel])) +
                    v * ((1 - u) * float(c[channel]) + u * float(d[channel]));
}

void scale(const Image& image, const Augmentation& how, std::vector<float>& into) {
  const double step_x = how.width * image.width / kSide, step_y = how.height * image.height / kSide;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x)
      sample(image.rgb.data(), image.width, image.height, how.left * image.width + (x + 0.5) * step_x - 0.5,
             how.top * image.height + (y + 0.5) * step_y - 0.5, &into[(size_t(y) * kSide + size_t(x)) * 3]);
}

void turn(const std::vector<float>& from, const Augmentation& how, std::vector<float>& into) {
  const double cosine = std::cos(how.turn), sine = std::sin(how.turn), centre = (kSide - 1) / 2.0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const double dx = x - centre + how.shift_x * kSide, dy = y - centre + how.shift_y * kSide;
      sample(from.data(), kSide, kSide, cosine * dx - sine * dy + centre, sine * dx + cosine * dy + centre,
             &into[(size_t(y) * kSide + size_t(x)) * 3]);
    }
  }
}

void mirror(std::vector<float>& image) {
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide / 2; ++x)
      std::swap_ranges(&image[(size_t(y) * kSide + size_t(x)) * 3], &image[(size_t(y) * kSide + size_t(x)) * 3] + 3,
                       &image[(size_t(y) * kSide + size_t(kSide - 1 - x)) * 3]);
}

}  // namespace

Augmentation any_augmentation(std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  Augmentation how;
  how.width = 0.8 + 0.2 * share(random);
  how.height = 0.8 + 0.2 * share(random);
  how.left = (1 - how.width) * share(random);
  how.top = (1 - how.height) * share(random);
  how.turn = (2 * share(random) - 1) * 40 * std::numbers::pi / 180;
  how.shift_x = 0.2 * (2 * share(random) - 1);
  how.shift_y = 0.2 * (2 * share(random) - 1);
  how.mirror = share(random) < 0.5;
  return how;
}

const std::vector<float>& Augmenter::augment(const Image& image, const Augmentation& how) {
  scaled_.resize(size_t{kSide} * kSide * 3);
  turned_.resize(scaled_.size());
  scale(image, how, scaled_);
  turn(scaled_, how, turned_);
  if (how.mirror) mirror(turned_);
  for (float& number : turned_) number = (number / 255 - 0.5F) / 0.25F;
  return turned_;
}

}  // namespace plimsoll
