// A strip of pictures for each class: what a report draws of a dataset.
#pragma once

#include "run/data/dataset.h"

namespace plimsoll {

struct ClassStrip {
  std::string name;
  std::string png;  // a file's bytes; the pictures side by side, with a gap of a pixel
  int64_t width = 0, height = 0;
};

inline constexpr int64_t kMostStrips = 20;

// Up to `each` pictures of each of the first 20 classes, spread over the set, none larger than 96 pixels either way.
// Pictures that cannot be read are left out; of tokens there are no strips. `dataset` has pixels of 0 to 255.
Result<std::vector<ClassStrip>> class_strips(const DatasetPtr& dataset, int64_t each);

}  // namespace plimsoll
