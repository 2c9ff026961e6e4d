// A dataset of pictures that look a little different in every epoch: turned, zoomed, sheared, mirrored, shifted. What
// happens to a sample follows from seed, epoch and its number alone.
#pragma once

#include "run/data/dataset.h"

namespace plimsoll {

struct Augmentations {
  bool flip = false;  // left and right, every other time
  int64_t shift = 0;  // up to so many pixels each way; black comes in from outside
  double rotate = 0;  // up to so many degrees each way
  double zoom = 0;    // the scale is 1 - zoom to 1 + zoom
  double shear = 0;   // rows move by up to so many pixels a row
  bool any() const { return flip || shift > 0 || rotate > 0 || zoom > 0 || shear > 0; }
  bool warps() const { return rotate > 0 || zoom > 0 || shear > 0; }
};

// "flip,shift:4,rotate:15,zoom:0.1,shear:0.1"; the error names the word and what it may be.
Result<Augmentations> parse_augmentations(const std::string& text);

// Warps in one affine map with linear interpolation, the edge continued outwards; then mirrors and shifts.
Result<DatasetPtr> augmented(DatasetPtr inner, const Augmentations& how, uint64_t seed);

}  // namespace plimsoll
