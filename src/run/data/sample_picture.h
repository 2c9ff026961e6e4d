// One sample of a dataset as a picture to look at: what a report shows of a network's mistakes.
#pragma once

#include "run/data/dataset.h"

namespace plimsoll {

inline constexpr int64_t kLargestSamplePicture = 64;  // pixels either way; larger ones are made smaller

// A PNG file's bytes; the smallest number is black, the largest white, so that normalised samples can be seen as well.
// Empty for what is no picture: tokens, other numbers of channels than 1 and 3.
Result<std::string> sample_picture(const DatasetPtr& dataset, int64_t index);

}  // namespace plimsoll
