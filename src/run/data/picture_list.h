// Single pictures, given by their names, as a dataset without labels: what predict reads. All are looked at when the
// list is opened, so a file that is no picture is an error before any work is done.
#pragma once

#include "run/data/dataset.h"

namespace plimsoll {

// `sample` is C x H x W, which every picture is brought to.
Result<DatasetPtr> open_picture_list(const std::vector<std::string>& paths, const TensorType& sample);

}  // namespace plimsoll
