// A part of a dataset: some of its samples, by their numbers. And the split of a set into two: by seed, the same
// share of every class, so that small classes are in both.
#pragma once

#include "run/data/dataset.h"

namespace plimsoll {

// `indices` are numbers of the inner dataset's samples.
DatasetPtr subset(DatasetPtr inner, std::vector<uint32_t> indices, const std::string& name);

struct Split {
  DatasetPtr rest, part;
};

// `share` (above 0, below 1) of each class, rounded, becomes `part`. An error when either would be empty.
Result<Split> split(const DatasetPtr& whole, double share, uint64_t seed, const std::string& part_name);

}  // namespace plimsoll
