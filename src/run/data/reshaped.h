// A dataset of pictures in the size and colours that a network wants.
#pragma once

#include "run/data/dataset.h"

namespace plimsoll {

// `input` is C x H x W; a set that has it already is returned as it is. Gray becomes RGB and RGB gray; other numbers of
// channels must agree. A network of flat input (N numbers) takes pictures with N numbers.
Result<DatasetPtr> reshaped(DatasetPtr inner, const TensorType& input);

}  // namespace plimsoll
