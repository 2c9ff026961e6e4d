// What a loader does to a picture before a network sees it: a piece of it is cut out, scaled to 256x256, turned and
// shifted, perhaps mirrored, and normalised. Written plainly, one step after the other, as loaders in frameworks
// do it (Keras' ImageDataGenerator: one affine map with linear interpolation, the edge continued outwards).
#pragma once

#include <random>
#include <vector>

#include "run/measure/photo.h"

namespace plimsoll {

inline constexpr int kAugmentedSide = 256;

struct Augmentation {
  double left = 0, top = 0, width = 1, height = 1;  // of the piece, as shares of the picture
  double turn = 0;                                  // in radians, about the centre
  double shift_x = 0, shift_y = 0;                  // as shares of the side
  bool mirror = false;
};

// A piece of at least 80 % each way, a turn of up to 40 degrees, a shift of up to 20 %.
Augmentation any_augmentation(std::mt19937_64& random);

// Planes of 256x256 numbers: rows from the top, red, green and blue of a pixel side by side, (x/255 - 0.5) / 0.25.
class Augmenter {
 public:
  const std::vector<float>& augment(const Image& image, const Augmentation& how);  // good until the next call

 private:
  std::vector<float> scaled_, turned_;
};

}  // namespace plimsoll
